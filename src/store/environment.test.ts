import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as lmdb from 'lmdb'
import { afterEach, expect, test } from 'vitest'
import { CorruptBytes } from '../bytes/index.js'
import type { Database } from './database.js'
import { Environment } from './environment.js'
import { Sealer } from './sealed-value.js'
import { SlicesFull } from './slices-full.js'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-store-'))
  folders.push(folder)
  return folder
}

const bytes = (text: string): Buffer => Buffer.from(text)

/** A folder with many holes: of 2,000 entries every hundredth is left. */
async function holedEnvironment(path: string): Promise<Environment> {
  const environment = Environment.open(path)
  const database = environment.database('numbers')
  await environment.write(() => {
    for (let i = 0; i < 2000; i++) database.put(bytes(`${i}`), Buffer.alloc(1000, i))
  })
  await environment.write(() => {
    for (let i = 0; i < 2000; i++) if (i % 100 !== 0) database.delete(bytes(`${i}`))
  })
  return environment
}

test.each([false, true])('an entry is put unless its key is there, with checksums: %s', async (hasChecksums) => {
  const environment = Environment.open(temporaryFolder())
  const database = environment.database('new', { hasChecksums })
  const put = (value: string) => environment.writeSync(() => database.putNew(bytes('key'), bytes(value)))
  expect([put('first'), put('second')]).toEqual([true, false])
  expect(database.get(bytes('key'))!.toString()).toBe('first')
  environment.writeSync(() => database.delete(bytes('key')))
  expect(put('third')).toBe(true)
  expect(database.get(bytes('key'))!.toString()).toBe('third')
  await environment.close()
})

test('entries are appended in the order of their keys only, and take fewer pages', async () => {
  const environment = Environment.open(temporaryFolder())
  const [appended, put] = [environment.database('appended'), environment.database('put')]
  const key = (i: number): Buffer => bytes(String(i).padStart(4, '0'))
  environment.writeSync(() => {
    for (let i = 1; i <= 2000; i++) {
      appended.append(key(i), Buffer.alloc(250, i))
      put.put(key(i), Buffer.alloc(250, i))
    }
  })
  const content = (of: Database): string =>
    Array.from(of.range(), ({ key, value }) => `${key} ${value.toString('hex')}`).join()
  expect(content(appended)).toBe(content(put))
  expect(appended.sizeBytes()).toBeLessThan(put.sizeBytes() * 0.95)
  for (const early of [0, 1000, 2000]) {
    expect(() => environment.writeSync(() => appended.append(key(early), bytes('x')))).toThrow(/is not the last/)
  }
  expect(content(appended)).toBe(content(put))
  await environment.close()
})

test('compacting shrinks the file that is in use and keeps what it holds', async () => {
  const path = temporaryFolder()
  const environment = await holedEnvironment(path)
  const sizeBefore = statSync(join(path, 'data.mdb')).size
  const { beforeBytes, afterBytes } = await environment.compact()
  expect(beforeBytes).toBeGreaterThan(2_000_000)
  expect(afterBytes).toBeLessThan(200_000)
  expect(statSync(join(path, 'data.mdb')).size).toBeLessThan(sizeBefore / 10)
  expect(environment.database('numbers').count()).toBe(20)
  expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb'])
  await environment.close()
})

test('a large transaction can follow a compaction at once', async () => {
  const path = temporaryFolder()
  const environment = Environment.open(path)
  const database = environment.database('numbers')
  await environment.write(() => {
    for (let i = 0; i < 4000; i++) database.put(bytes(`${i}`), Buffer.alloc(1000, i))
  })
  const clear = () =>
    environment.write(() => {
      for (let i = 0; i < 4000; i += 2) database.delete(bytes(`${i}`))
    })
  await environment.compact()
  await clear()
  expect(database.count()).toBe(2000)
  await environment.close()
})

test('writes asked for while a folder is compacted are done afterwards, in their order', async () => {
  const path = temporaryFolder()
  const environment = await holedEnvironment(path)
  const log = environment.database('log')
  const append = (name: string) => environment.write(() => log.put(bytes(name), bytes(`${log.count()}`)))
  const before = append('before')
  const compacted = environment.compact()
  const during = [append('first'), append('second')]
  await Promise.all([before, compacted, ...during])
  await append('after')
  await environment.close()

  const reopened = Environment.open(path)
  const found = [...reopened.database('log').range()].map(({ key, value }) => [key.toString(), value.toString()])
  expect(Object.fromEntries(found)).toEqual({ before: '0', first: '1', second: '2', after: '3' })
  expect(reopened.database('numbers').count()).toBe(20)
  await reopened.close()
})

test('reads go on while a folder is compacted', async () => {
  const environment = await holedEnvironment(temporaryFolder())
  const database = environment.database('numbers')
  let isDone = false
  const compacted = environment.compact().finally(() => (isDone = true))
  while (!isDone) {
    expect(database.get(bytes('300'))).toEqual(Buffer.alloc(1000, 300))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await compacted
  await environment.close()
})

test('two compactions at once come one after the other', async () => {
  const environment = await holedEnvironment(temporaryFolder())
  const [first, second] = await Promise.all([environment.compact(), environment.compact()])
  expect(second.beforeBytes).toBeLessThanOrEqual(first.beforeBytes / 10)
  expect(environment.database('numbers').count()).toBe(20)
  await environment.close()
})

test('a compaction that fails leaves the folder as it was, and writable', async () => {
  const path = temporaryFolder()
  const environment = await holedEnvironment(path)
  environment.copyCompacted = () => Promise.reject(new Error('no space'))
  await expect(environment.compact()).rejects.toThrow('no space')
  await environment.write(() => environment.database('numbers').put(bytes('new'), bytes('1')))
  await environment.close()
  const reopened = Environment.open(path)
  expect(reopened.database('numbers').count()).toBe(21)
  await reopened.close()
})

test('an environment that is closed leaves nothing behind in the library', async () => {
  const { allDbs } = lmdb as unknown as { readonly allDbs: ReadonlyMap<string, unknown> }
  const before = [...allDbs.keys()]
  const environment = await holedEnvironment(temporaryFolder())
  await environment.compact()
  expect(allDbs.size).toBeGreaterThan(before.length)
  await environment.close()
  expect([...allDbs.keys()]).toEqual(before)
})

test('what was written stays when free pages are forgotten, and they are used again', async () => {
  const environment = await holedEnvironment(temporaryFolder())
  const before = environment.sizes().fileBytes
  const database = environment.database('numbers')
  for (let round = 0; round < 20; round++) {
    environment.forgetFreePages()
    environment.writeSync(() => database.put(Buffer.from(`round ${round % 3}`), Buffer.alloc(5_000, round)))
  }
  expect(database.get(Buffer.from('round 1'))).toEqual(Buffer.alloc(5_000, 19))
  expect(environment.sizes().fileBytes).toBe(before)
  await environment.close()
})

/** The same folder once with checksums and once as it is on disk. */
async function checkedAndRaw() {
  const path = temporaryFolder()
  const environment = Environment.open(path)
  const checked = environment.database('checked', { hasChecksums: true })
  const entries = [0, 1, 63, 64, 5000, 200_000].map(
    (length, i) => [bytes(`${i}`), Buffer.alloc(length, i + 1)] as const,
  )
  environment.writeSync(() => {
    for (const [key, value] of entries.slice(0, 3)) checked.put(key, value)
    for (const [key, value] of entries.slice(3)) checked.append(key, value)
  })
  await environment.close()
  return { path, entries }
}

test('a borrowed value is as long as it says, with and without checksums', async () => {
  const { path } = await checkedAndRaw()
  const environment = Environment.open(path)
  const database = environment.database('plain')
  await environment.write(() => database.put(bytes('key'), Buffer.alloc(10, 7)))
  for (const borrowed of [
    database.getBorrowed(bytes('key'))!,
    environment.database('checked', { hasChecksums: true }).getBorrowed(bytes('3'))!,
  ]) {
    const { length } = borrowed
    const copy = new Uint8Array(length)
    copy.set(borrowed)
    expect(Buffer.from(copy).equals(borrowed.subarray(0, length))).toBe(true)
  }
  await environment.close()
})

test('values with checksums are read as they were written, by every kind of read', async () => {
  const { path, entries } = await checkedAndRaw()
  const environment = Environment.open(path)
  const checked = environment.database('checked', { hasChecksums: true })
  for (const [key, value] of entries) {
    expect(checked.get(key)!.equals(value)).toBe(true)
    expect(Buffer.from(checked.getBorrowed(key)!).equals(value)).toBe(true)
  }
  expect(checked.get(bytes('none'))).toBeUndefined()
  expect(checked.getBorrowed(bytes('none'))).toBeUndefined()
  const found = [...checked.range()]
  expect(found.map(({ key }) => `${key}`)).toEqual(entries.map(([key]) => `${key}`))
  expect(found.every(({ value }, i) => value.equals(entries[i]![1]))).toBe(true)
  const lent: string[] = []
  checked.eachBorrowed({ start: bytes('1') }, (key, borrowed) => lent.push(`${key} ${borrowed.toString('hex')}`))
  expect(lent).toEqual(entries.slice(1).map(([key, value]) => `${key} ${value.toString('hex')}`))
  await environment.compact()
  expect(checked.get(bytes('3'))).toEqual(Buffer.alloc(64, 4))
  await environment.close()

  const raw = Environment.open(path)
  expect(raw.database('checked').get(bytes('3'))).toEqual(Buffer.from(new Sealer().seal(Buffer.alloc(64, 4))))
  await raw.close()
})

test('a damaged value is reported with the names of its database and folder, by every kind of read', async () => {
  const { path, entries } = await checkedAndRaw()
  const raw = Environment.open(path)
  raw.writeSync(() => {
    for (const [key] of entries) {
      const stored = raw.database('checked').get(key)!
      stored[stored.length >> 1]! ^= 4
      raw.database('checked').put(key, stored)
    }
  })
  await raw.close()
  const environment = Environment.open(path)
  environment.title = 'the index "movies"'
  const checked = environment.database('checked', { hasChecksums: true })
  for (const [key] of entries) {
    for (const read of [
      () => checked.get(key),
      () => checked.getBorrowed(key),
      () => [...checked.range({ start: key })],
      () => checked.eachBorrowed({ start: key }, () => {}),
    ]) {
      expect(read).toThrow(CorruptBytes)
      expect(read).toThrow('a value of the database "checked" of the index "movies" has a wrong checksum')
    }
  }
  await environment.close()
})

test('entries that are visited are lent, and those that are asked for afterwards are copies', async () => {
  const environment = Environment.open(temporaryFolder())
  const database = environment.database('numbers')
  environment.writeSync(() => {
    for (let i = 10; i < 40; i++) database.put(bytes(`${i}`), Buffer.alloc(i, i))
  })
  const stop = () =>
    database.eachBorrowed({}, (key) => {
      if (`${key}` === '20') throw new RangeError('enough')
    })
  expect(stop).toThrow(RangeError)
  const kept = [...database.range()]
  expect(kept.map(({ key, value }) => `${key} ${value.toString('hex')}`)).toEqual(
    Array.from({ length: 30 }, (_, i) => `${i + 10} ${Buffer.alloc(i + 10, i + 10).toString('hex')}`),
  )
  await environment.close()
})

test('a new folder is marked with its format, an older one stays as it is', async () => {
  const [marked, unmarked] = [temporaryFolder(), temporaryFolder()]
  const older = Environment.open(unmarked)
  older.database('numbers')
  expect(older.format).toBeUndefined()
  await older.close()
  for (const [path, expected] of [
    [marked, 7],
    [unmarked, undefined],
  ] as const) {
    const environment = Environment.open(path, { newFormat: 7 })
    environment.database('numbers')
    expect(environment.format).toBe(expected)
    await environment.compact()
    expect(environment.format).toBe(expected)
    await environment.close()
    const reopened = Environment.open(path, { readOnly: true, newFormat: 8 })
    expect(reopened.format).toBe(expected)
    await reopened.close()
  }
})

const contentOf = (database: Database): string[] => Array.from(database.range(), ({ key, value }) => `${key} ${value}`)

test('slices write what plain work writes, see what was written before them, and are part of the transaction', async () => {
  const environment = Environment.open(temporaryFolder())
  const [sliced, plain] = [environment.database('sliced'), environment.database('plain')]
  const step = (database: Database, i: number): void => {
    const key = bytes(`${(i * 7919) % 500}`)
    if (i % 5 === 0) database.delete(key)
    else database.put(key, Buffer.concat([database.get(key) ?? bytes(''), bytes(`${i} `)]))
  }
  environment.writeSync(() => {
    for (let first = 0; first < 3000; first += 100) {
      environment.inSlice(() => {
        for (let i = first; i < first + 100; i++) step(sliced, i)
      })
    }
    for (let i = 0; i < 3000; i++) step(plain, i)
    expect(contentOf(sliced)).toEqual(contentOf(plain))
  })
  expect(contentOf(sliced)).toEqual(contentOf(plain))
  const change = (): void => environment.inSlice(() => sliced.clear())
  expect(() =>
    environment.writeSync(() => {
      change()
      throw new Error('enough')
    }),
  ).toThrow('enough')
  expect(contentOf(sliced)).toEqual(contentOf(plain))
  await environment.close()
})

test('a slice that throws undoes the transaction', async () => {
  const environment = Environment.open(temporaryFolder())
  const database = environment.database('words')
  const work = (): void => {
    database.put(bytes('outer'), bytes('1'))
    environment.inSlice(() => {
      database.put(bytes('inner'), bytes('2'))
      throw new Error('enough')
    })
  }
  expect(() => environment.writeSync(work)).toThrow('enough')
  expect(contentOf(database)).toEqual([])
  await environment.close()
})

test.each([-30_788, -30_782])('when a slice finds no room (%i), the same work is done without slices', async (code) => {
  const environment = Environment.open(temporaryFolder())
  const database = environment.database('words')
  let tries = 0
  const work = (): void =>
    environment.inSlice(() => {
      database.put(bytes('key'), bytes('value'))
      if (tries++ === 0) throw Object.assign(new Error('no room'), { code })
    })
  expect(() => environment.writeSync(work)).toThrow(SlicesFull)
  expect(contentOf(database)).toEqual([])
  environment.writeSync(work)
  expect(contentOf(database)).toEqual(['key value'])
  await environment.close()
})
