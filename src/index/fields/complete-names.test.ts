import { expect, test } from 'vitest'
import { FieldRegistry, MAX_FIELDS } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { VectorIndex } from '../vectors/vector-index.fixture.js'
import { completeNames, lacksNames } from './complete-names.js'

const DOCUMENT = { id: 1, title: 'x', obj: { name: 'a' }, _geo: { lat: 1, lng: 2 } }
const ALL = ['id', 'title', 'obj', '_geo', 'obj.name', '_geo.lat', '_geo.lng']

/** As older versions left it: names without a role are not there, and nothing says that all are. */
async function oldIndex(searchableAttributes: string[], names: string[]): Promise<VectorIndex> {
  const index = new VectorIndex()
  index.settings({ searchableAttributes })
  await index.add([DOCUMENT])
  index.folder.write(() => {
    const { hasAllNames: _, ...meta } = index.folder.meta()!
    index.folder.putMeta(meta)
    index.folder.putFields(new FieldRegistry(names))
  })
  return index
}

const known = (folder: IndexFolder) => folder.fields().known()

test('an index of an older version learns the names it lacks, once', async () => {
  const { folder } = await oldIndex(['title'], ALL.slice(0, 4))
  expect(lacksNames(folder)).toBe(true)
  completeNames(folder)
  expect([known(folder), lacksNames(folder)]).toEqual([ALL, false])
  const version = folder.version()
  completeNames(folder)
  expect(folder.version()).toBe(version)
})

test('where everything is searched only positions are looked for', async () => {
  const { folder } = await oldIndex(['*'], ['id', 'title', 'obj', '_geo', 'obj.name'])
  completeNames(folder)
  expect(known(folder)).toEqual(ALL)
})

test('the next batch does it too, before its own documents', async () => {
  const index = await oldIndex(['title'], ALL.slice(0, 4))
  await index.add([{ id: 1, title: 'y', other: { k: 1 } }])
  expect([known(index.folder), lacksNames(index.folder)]).toEqual([[...ALL, 'other', 'other.k'], false])
})

test('a new index lacks nothing, and a full one stays as it is', async () => {
  const index = new VectorIndex()
  await index.add([DOCUMENT])
  expect(lacksNames(index.folder)).toBe(false)
  const full = [...ALL.slice(0, 4), ...Array.from({ length: MAX_FIELDS - 5 }, (_, i) => `n${i}`)]
  const { folder } = await oldIndex(['title'], full)
  completeNames(folder)
  expect([known(folder).slice(full.length), lacksNames(folder)]).toEqual([['obj.name'], false])
})
