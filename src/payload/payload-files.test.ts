import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../store/temporary.fixture.js'
import { readPayloadFile } from './index.js'
import { INLINE_BYTES, PayloadFiles } from './payload-files.js'

test('a small payload stays in memory', async () => {
  const folder = temporaryFolder()
  const receiver = new PayloadFiles(folder).receive()
  await receiver.write(Buffer.from('ab'))
  await receiver.write(Buffer.from('cd'))
  expect(await receiver.finish()).toEqual({ place: 'inline', content: Buffer.from('abcd') })
  expect(readdirSync(folder)).toEqual([])
})

test('a payload keeps its own copy of the bytes', async () => {
  const receiver = new PayloadFiles(temporaryFolder()).receive()
  const bytes = Buffer.from('ab')
  await receiver.write(bytes)
  bytes.fill(0)
  expect(await receiver.finish()).toMatchObject({ content: Buffer.from('ab') })
})

test('a payload that outgrows memory goes to a file as a whole', async () => {
  const files = new PayloadFiles(temporaryFolder())
  const receiver = files.receive()
  const chunks = [Buffer.alloc(INLINE_BYTES, 1), Buffer.alloc(1, 2), Buffer.alloc(100_000, 3)]
  for (const chunk of chunks) await receiver.write(chunk)
  const payload = await receiver.finish()
  if (payload.place !== 'file') throw new Error('not in a file')
  expect(payload.bytes).toBe(INLINE_BYTES + 100_001)
  expect(contentOf(files.pathOf(payload.name)).equals(Buffer.concat(chunks))).toBe(true)
  await files.delete(payload.name)
  expect(existsSync(files.pathOf(payload.name))).toBe(false)
})

function contentOf(path: string): Buffer {
  const file = openSync(path, 'r')
  const readMore = readPayloadFile(file)
  const chunks: Uint8Array[] = []
  for (let chunk = readMore(); chunk !== undefined; chunk = readMore()) chunks.push(chunk)
  closeSync(file)
  return Buffer.concat(chunks)
}

test('a payload that is discarded leaves no file', async () => {
  const folder = temporaryFolder()
  const receiver = new PayloadFiles(folder).receive()
  await receiver.write(Buffer.alloc(INLINE_BYTES + 1))
  expect(readdirSync(folder)).toHaveLength(1)
  await receiver.discard()
  expect(readdirSync(folder)).toEqual([])
})

test('files that nobody refers to are deleted', () => {
  const folder = temporaryFolder()
  for (const name of ['kept', 'other']) writeFileSync(join(folder, name), '')
  new PayloadFiles(folder).deleteOthers(new Set(['kept']))
  expect(readdirSync(folder)).toEqual(['kept'])
})
