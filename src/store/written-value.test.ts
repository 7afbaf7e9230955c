import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Environment } from './environment.js'
import { WrittenValue } from './written-value.js'

const folder = mkdtempSync(join(tmpdir(), 'findling-written-'))
let environment: Environment
beforeAll(() => {
  environment = Environment.open(folder)
})
afterAll(async () => {
  await environment.close()
  rmSync(folder, { recursive: true })
})

const failing = () => {
  throw new Error('the disk is full')
}

test('a new value is there at once, and on disk when it is said to be', async () => {
  const database = environment.database('values')
  const value = new WrittenValue(environment, 'a')
  const written = value.replace('b', () => database.put(Buffer.from('key'), Buffer.from('b')))
  expect(value.current).toBe('b')
  await written
  expect(database.get(Buffer.from('key'))?.toString()).toBe('b')
})

test('a value that cannot be written is taken back', async () => {
  const value = new WrittenValue(environment, 'a')
  await expect(value.replace('b', failing)).rejects.toThrow('the disk is full')
  expect(value.current).toBe('a')
})

test('a failure takes nothing back that came after it', async () => {
  const value = new WrittenValue(environment, 'a')
  const failed = value.replace('b', failing)
  const done = value.replace('c', () => {})
  await expect(failed).rejects.toThrow()
  await done
  expect(value.current).toBe('c')
})
