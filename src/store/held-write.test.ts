import { execFileSync } from 'node:child_process'
import { platform } from 'node:os'
import { expect, test } from 'vitest'
import { Environment } from './environment.js'
import { temporaryFolder } from './temporary.fixture.js'

const bytes = (text: string): Buffer => Buffer.from(text)

test('a transaction that is held is seen by this environment alone, until it is committed', async () => {
  const path = temporaryFolder()
  const [writer, reader] = [Environment.open(path), Environment.open(path)]
  const [written, read] = [writer.database('words'), reader.database('words')]
  const held = writer.hold(() => {
    written.put(bytes('fox'), bytes('1'))
    return 'done'
  })
  expect([held.result, written.has(bytes('fox')), read.has(bytes('fox'))]).toEqual(['done', true, false])
  await held.commit()
  reader.refresh()
  expect(read.has(bytes('fox'))).toBe(true)
  await held.abort()
  await expect(held.commit()).rejects.toThrow('has ended')
  expect(written.has(bytes('fox'))).toBe(true)
  await Promise.all([writer.close(), reader.close()])
})

test('a transaction that is aborted leaves nothing, slices included', async () => {
  const environment = Environment.open(temporaryFolder())
  const database = environment.database('words')
  const held = environment.hold(() => environment.inSlice(() => database.put(bytes('fox'), bytes('1'))))
  await held.abort()
  await expect(held.commit()).rejects.toThrow('has ended')
  expect(database.has(bytes('fox'))).toBe(false)
  environment.writeSync(() => database.put(bytes('bear'), bytes('1')))
  expect(database.count()).toBe(1)
  await environment.close()
})

test('work that throws is not held', async () => {
  const environment = Environment.open(temporaryFolder())
  const database = environment.database('words')
  const failing = () => {
    database.put(bytes('fox'), bytes('1'))
    throw new Error('no')
  }
  expect(() => environment.hold(failing)).toThrow('no')
  environment.writeSync(() => {})
  expect(database.count()).toBe(0)
  await environment.close()
})

/** Says whether the commit of a held transaction worked, what is stored then, and whether one can write again. */
const PROGRAM = `
  import { tsImport } from 'tsx/esm/api'
  const file = ${JSON.stringify(new URL('./environment.ts', import.meta.url).href)}
  const { Environment } = await tsImport(file, file)
  const environment = Environment.open(process.argv[1])
  const database = environment.database('words')
  environment.writeSync(() => database.put(Buffer.from('old'), Buffer.alloc(1)))
  const held = environment.hold(() => {
    for (let i = 0; i < 100; i++) database.put(Buffer.from('new' + i), Buffer.alloc(5000))
  })
  const committed = await held.commit().then(() => true, () => false)
  await held.abort()
  const kept = Array.from(database.keys(), String)
  environment.writeSync(() => database.put(Buffer.from('next'), Buffer.alloc(1)))
  console.log(JSON.stringify({ committed, kept, afterwards: Array.from(database.keys(), String) }))
  await environment.close()`

test.skipIf(platform() === 'win32')('a commit that fails rejects, and everything is as before', () => {
  // Files may not grow beyond 128 blocks.
  const limited = 'trap "" XFSZ; ulimit -f 128; exec "$0" --input-type=module -e "$1" "$2"'
  const answer = execFileSync('sh', ['-c', limited, process.execPath, PROGRAM, temporaryFolder()])
  expect(JSON.parse(String(answer))).toEqual({ committed: false, kept: ['old'], afterwards: ['next', 'old'] })
})
