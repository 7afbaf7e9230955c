import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CorruptBytes } from '../bytes/index.js'
import { Environment } from './environment.js'

let folder: string
let good: Buffer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'findling-data-file-'))
  const path = join(folder, 'good')
  await fill(path)
  good = readFileSync(join(path, 'data.mdb'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Three databases; some values have pages of their own, and many pages are free in between. */
async function fill(path: string): Promise<void> {
  const environment = Environment.open(path)
  for (const name of ['a', 'b', 'c']) {
    const database = environment.database(name)
    environment.writeSync(() => {
      for (let i = 0; i < 2000; i++)
        database.put(Buffer.from(`${name}${i}`), Buffer.alloc(i % 50 === 0 ? 9000 : 100, i))
    })
    environment.writeSync(() => {
      for (let i = 0; i < 2000; i += 3) database.delete(Buffer.from(`${name}${i}`))
    })
  }
  await environment.close()
}

let count = 0
function folderWith(data: Uint8Array | undefined): string {
  const path = join(folder, `${count++}`)
  mkdirSync(path)
  if (data !== undefined) writeFileSync(join(path, 'data.mdb'), data)
  return path
}

const withoutSecondMeta = () => Buffer.concat([good.subarray(0, 4096), randomBytes(4096), good.subarray(8192)])
const onlyMeta = () =>
  Buffer.concat([good.subarray(0, 32), randomBytes(4064), good.subarray(4096, 4128), randomBytes(4064)])

describe('21.17: a data file that LMDB must not open is damaged', () => {
  test.each<[string, () => Uint8Array]>([
    ['random bytes', () => randomBytes(65_536)],
    ['zeros', () => Buffer.alloc(65_536)],
    ['a short text', () => Buffer.from('hello')],
    ['the first page alone', () => good.subarray(0, 4096)],
    ['another second page', withoutSecondMeta],
    ['beginnings of pages alone', onlyMeta],
    ['two pages', () => good.subarray(0, 8192)],
    ['the first half', () => good.subarray(0, good.length / 2)],
  ])('%s', (_name, data) => {
    const path = folderWith(data())
    expect(() => Environment.open(path)).toThrow(CorruptBytes)
    expect(() => Environment.open(path, { readOnly: true })).toThrow(CorruptBytes)
  })

  test('a folder in its place', () => {
    const path = folderWith(undefined)
    mkdirSync(join(path, 'data.mdb'))
    expect(() => Environment.open(path)).toThrow(CorruptBytes)
  })

  test('nothing, where something has to be', async () => {
    for (const data of [undefined, Buffer.alloc(0)]) {
      const path = folderWith(data)
      expect(() => Environment.open(path, { readOnly: true })).toThrow(
        /data file of the folder \d+ is missing or empty/,
      )
      expect(() => Environment.open(path, { mustExist: true })).toThrow(CorruptBytes)
      const environment = Environment.open(path)
      expect([...environment.database('new').range()]).toEqual([])
      await environment.close()
    }
  })
})

test('21.17: a file is either damaged or can be read, wherever it ends', () => {
  const path = folderWith(good)
  const ends = Array.from({ length: 12 }, (_, i) => Math.floor((good.length * (12 - i)) / 12))
  // A process of its own: what is read behind the end of a file ends it.
  const script = `
    import { open } from 'lmdb'
    const root = open({ path: process.argv[1], maxDbs: 16, encoding: 'binary', keyEncoding: 'binary', readOnly: true })
    let found = 0
    for (const name of 'abc') for (const each of root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' }).getRange()) found += each.value.length > 0 ? 1 : 0
    process.exitCode = found === 3999 ? 0 : 1`
  for (const end of ends) {
    truncateSync(join(path, 'data.mdb'), end)
    if (isDamaged(path)) continue
    const copy = folderWith(undefined)
    copyFileSync(join(path, 'data.mdb'), join(copy, 'data.mdb'))
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, copy])
    expect([end, status, `${stderr}`]).toEqual([end, 0, ''])
  }
  expect(isDamaged(path)).toBe(true)
})

function isDamaged(path: string): boolean {
  try {
    void Environment.open(path, { readOnly: true }).close()
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptBytes)
    return true
  }
}

test('a file without the free pages at its end is whole', async () => {
  const path = folderWith(undefined)
  const environment = Environment.open(path)
  const database = environment.database('a')
  environment.writeSync(() => database.put(Buffer.from('kept'), Buffer.alloc(9000)))
  environment.writeSync(() => {
    for (let i = 0; i < 500; i++) database.put(Buffer.from(`${i}`), Buffer.alloc(9000))
    for (let i = 0; i < 500; i++) database.delete(Buffer.from(`${i}`))
  })
  const said = environment.fileBytes()
  await environment.close()
  expect(statSync(join(path, 'data.mdb')).size).toBeLessThan(said)
  const again = Environment.open(path, { mustExist: true })
  expect(again.database('a').get(Buffer.from('kept'))).toHaveLength(9000)
  await again.close()
})
