import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import type { DocId } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import { type ShardMap, type ShardVersion, shardOf, shardVersion, UnknownShardMap } from '../../sharding/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { DocumentOperation, IndexWork } from '../apply/job.js'
import { runIndexJob } from '../apply/run-job.js'
import { readVersions, StoredShards } from './stored-shards.js'

let batches = 0

function run(folder: IndexFolder, work: IndexWork, shards?: ShardMap, isCancelled = () => false) {
  const job = {
    path: '',
    indexUid: 'shop',
    now: '2026-01-05T10:00:00Z',
    batchKey: `b${batches++}`,
    create: { primaryKey: 'id' },
    work,
    ...(shards && { shards }),
  }
  return runIndexJob(folder, job, { selectByFilter: () => Bitmap.of(0) }, { progress() {}, isCancelled }).outcomes
}

async function addition(ids: readonly string[]): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(ids.map((id) => ({ id, text: 'fox' }))))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  const payload = { bytes: Buffer.concat(parts) }
  return { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false }
}

const idsOf = (folder: IndexFolder, docIds: Bitmap): string[] =>
  Array.from(docIds, (docId) =>
    JSON.parse(Buffer.from(folder.value(docId as DocId, folder.fields().idOf('id')!)!).toString()),
  ).sort()

/** The ids of each shard by the versions that are known, as filters would find them. */
function contents(folder: IndexFolder): Record<string, Record<string, string[]>> {
  const stored = new StoredShards(folder.databases.shards)
  const versions = readVersions(folder.databases.shards).map(({ version }) => version)
  return Object.fromEntries(
    versions.map((version) => {
      const shards = stored.of(version)
      return [version, Object.fromEntries(shards.names().map((name) => [name, idsOf(folder, shards.docIds(name))]))]
    }),
  )
}

const versionsOf = (map: ShardMap): ShardVersion[] => [map, ...(map.former ? [map.former] : [])]

const expectedBy = (ids: Iterable<string>, map: ShardMap) =>
  Object.fromEntries(versionsOf(map).map((each) => [each.version, expected(ids, each)]))

function expected(ids: Iterable<string>, { names }: ShardVersion): Record<string, string[]> {
  const all = [...ids].sort()
  return Object.fromEntries(names.map((name) => [name, all.filter((id) => shardOf(names, id) === name)]))
}

const version = (version: string, owners: Record<string, string[]>) =>
  shardVersion({ version, shards: new Map(Object.entries(owners)) }, 'me')

const VERSIONS = [
  version('v0', { s1: ['me'] }),
  version('v1', { s1: ['me'], s2: ['other'] }),
  version('v2', { s1: ['other'], s2: ['me'] }),
  version('v3', { s1: ['me'], s2: ['me', 'other'], s3: ['other'] }),
]

/** Also where nobody leads, and while servers change over. */
const maps: readonly (ShardMap | undefined)[] = [
  undefined,
  ...VERSIONS,
  ...VERSIONS.flatMap((map) => VERSIONS.filter((each) => each !== map).map((former) => ({ ...map, former }))),
]

const ids = fc.uniqueArray(fc.nat(40).map(String), { maxLength: 12 })
const step = fc.record({
  kind: fc.constantFrom('add', 'add', 'delete', 'mixed', 'clear', 'shards', 'dropForeign'),
  ids,
  map: fc.constantFrom(...maps),
})

test('sets of shards follow every change, and documents of others are left out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const folder = temporaryIndex()
      const held = new Set<string>()
      for (const { kind, ids, map } of steps) {
        const isKept = (id: string) =>
          map === undefined || versionsOf(map).some(({ names, owned }) => owned.has(shardOf(names, id)))
        const isForeign = (id: string) => map !== undefined && !map.owned.has(shardOf(map.names, id))
        const deletion = { kind: 'deleteIds', ids } as const
        if (kind === 'add') {
          const [outcome] = run(folder, { kind: 'documents', operations: [await addition(ids)] }, map)
          expect(outcome).toEqual({ ok: true, indexed: ids.filter(isKept).length })
          for (const id of ids.filter(isKept)) held.add(id)
        } else if (kind === 'mixed') {
          run(folder, { kind: 'documents', operations: [await addition(['a', 'b']), deletion] }, map)
          for (const id of ['a', 'b'].filter(isKept)) held.add(id)
          for (const id of ids.filter(isKept)) held.delete(id)
        } else if (kind === 'delete') {
          run(folder, { kind: 'deletions', operations: [deletion] }, map)
          for (const id of ids) held.delete(id)
        } else if (kind === 'clear') {
          run(folder, { kind: 'clear', patches: [] }, map)
          held.clear()
        } else {
          const [outcome] = run(folder, { kind } as IndexWork, map)
          const foreign = kind === 'shards' ? [] : [...held].filter(isForeign)
          if (kind === 'dropForeign') expect(outcome).toEqual({ ok: true, deleted: foreign.length })
          for (const id of foreign) held.delete(id)
        }
        expect(idsOf(folder, folder.docIds())).toEqual([...held].sort())
        expect(contents(folder)).toEqual(map === undefined ? {} : expectedBy(held, map))
      }
    }),
    { numRuns: 40 },
  )
})

test('an assignment that is stopped leaves the shards as they were', async () => {
  const folder = temporaryIndex()
  run(folder, { kind: 'documents', operations: [await addition(['1', '2', '3'])] }, VERSIONS[0])
  expect(() => run(folder, { kind: 'shards' }, VERSIONS[3], () => true)).toThrow(JobCancelled)
  expect(contents(folder)).toEqual({ v0: { s1: ['1', '2', '3'] } })
})

test('shards of a version that is over are not known, though the next one has the same names', async () => {
  const folder = temporaryIndex()
  const [, before, after] = VERSIONS
  run(folder, { kind: 'documents', operations: [await addition(['1', '2', '3'])] }, before)
  run(folder, { kind: 'shards' }, { ...after!, former: before! })
  const found = (version: string) => new StoredShards(folder.databases.shards).of(version).names()
  expect([found('v1'), found('v2')]).toEqual([
    ['s1', 's2'],
    ['s1', 's2'],
  ])
  run(folder, { kind: 'dropForeign' }, after)
  expect(found('v2')).toEqual(['s1', 's2'])
  expect(() => found('v1')).toThrow(UnknownShardMap)
})
