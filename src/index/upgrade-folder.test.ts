import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type IndexDatabases, IndexFolder } from '../folder/index.js'
import { olderIndex, temporaryIndex } from '../folder/temporary-index.fixture.js'
import { Environment } from '../store/index.js'
import { JobCancelled } from '../threads/index.js'
import { indexStats } from './index-stats.js'
import { upgradeFolder } from './upgrade-folder.js'

const NOW = '2026-01-05T10:00:00.123456789Z'
const never = () => false

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function freePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-upgrade-'))
  folders.push(folder)
  return join(folder, 'copy')
}

/** Something in every database, of many sizes. */
function fill(folder: IndexFolder): void {
  folder.write(() => {
    folder.create(NOW, 'id')
    for (const name of Object.keys(folder.databases) as (keyof IndexDatabases)[]) {
      if (name === 'main' || name === 'docIds' || name === 'vectorSets') continue
      for (let i = 0; i < 300; i++) {
        folder.databases[name].put(Buffer.from(`${name} ${i}`), Buffer.alloc((i * 7919) % 3000, i))
      }
    }
  })
}

const content = ({ databases }: IndexFolder) =>
  Object.entries(databases).map(([name, database]) => [
    name,
    Array.from((database as IndexDatabases['main']).range(), ({ key, value }) => `${key} ${value.toString('hex')}`),
  ])

test('a new index has checksums, one without a mark has none and is written as it was', async () => {
  expect(temporaryIndex().format).toBe(2)
  const older = await olderIndex()
  fill(older)
  const { path } = older.environment
  await older.close()
  const reopened = IndexFolder.open(path)
  expect(reopened.format).toBe(1)
  reopened.write(() => reopened.databases.facets.put(Buffer.from('key'), Buffer.from('value')))
  await reopened.close()
  const raw = Environment.open(path)
  expect(`${raw.database('facets').get(Buffer.from('key'))}`).toBe('value')
  await raw.close()
})

test('an index of a format that nobody knows yet is not opened', async () => {
  const path = freePath()
  await Environment.open(path, { newFormat: 3 }).close()
  expect(() => IndexFolder.open(path)).toThrow('the folder copy has the unknown format 3')
})

test('an upgrade copies everything into a folder of the newest format, and leaves the older one alone', async () => {
  const older = await olderIndex()
  fill(older)
  const [before, path] = [content(older), freePath()]
  const stats = await upgradeFolder(older, path, never)
  const copy = IndexFolder.open(path)
  expect(copy.format).toBe(2)
  expect(content(copy)).toEqual(before)
  expect(stats).toEqual(indexStats(copy))
  copy.write(() => copy.databases.facets.put(Buffer.from('new'), Buffer.from('value')))
  expect(`${copy.databases.facets.get(Buffer.from('new'))}`).toBe('value')
  await copy.close()
  expect([older.format, content(older)]).toEqual([1, before])
})

test('an index of the newest format is looked at and not copied', async () => {
  const folder = temporaryIndex()
  const path = freePath()
  await expect(upgradeFolder(folder, path, never)).rejects.toThrow('has lost what is known of it')
  folder.write(() => folder.create(NOW, 'id'))
  expect(await upgradeFolder(folder, path, never)).toBeUndefined()
  expect(existsSync(path)).toBe(false)
})

test('an upgrade stops between two steps when it is asked to', async () => {
  const older = await olderIndex()
  older.write(() => {
    older.create(NOW, 'id')
    for (let i = 0; i < 40; i++) older.databases.documents.put(Buffer.of(i), Buffer.alloc(2 << 20, i))
  })
  let looks = 0
  await expect(upgradeFolder(older, freePath(), () => ++looks > 1)).rejects.toThrow(JobCancelled)
  expect(looks).toBe(2)
  expect(await upgradeFolder(older, freePath(), never)).toMatchObject({ numberOfDocuments: 0 })
})

test('an index that cannot be read is not upgraded', async () => {
  const older = await olderIndex()
  older.write(() => {
    older.create(NOW, 'id')
    older.putSettingsBytes(Buffer.from('nonsense'))
  })
  await expect(upgradeFolder(older, freePath(), never)).rejects.toThrow()
})
