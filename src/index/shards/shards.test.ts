import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import type { DocId } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import { type ShardMap, shardMap, shardOf } from '../../sharding/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { DocumentOperation, IndexWork } from '../apply/job.js'
import { runIndexJob } from '../apply/run-job.js'
import { readShardNames, StoredShards } from './stored-shards.js'

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

/** The ids of each shard, as filters would find them. */
function contents(folder: IndexFolder): Record<string, string[]> {
  const stored = new StoredShards(folder.databases.shards)
  return Object.fromEntries(stored.names().map((name) => [name, idsOf(folder, stored.docIds(name))]))
}

function expected(ids: Iterable<string>, { names }: ShardMap): Record<string, string[]> {
  const all = [...ids].sort()
  return Object.fromEntries(names.map((name) => [name, all.filter((id) => shardOf(names, id) === name)]))
}

const MAPS = [
  shardMap(new Map([['s1', ['me']]]), 'me'),
  shardMap(new Map([['s1', ['me']], ['s2', ['other']]]), 'me'), // biome-ignore format: one line says more
  shardMap(new Map([['s1', ['me']], ['s2', ['me', 'other']], ['s3', ['other']]]), 'me'), // biome-ignore format: same
]

const ids = fc.uniqueArray(fc.nat(40).map(String), { maxLength: 12 })
const step = fc.record({
  kind: fc.constantFrom('add', 'add', 'delete', 'mixed', 'clear', 'shards', 'dropForeign'),
  ids,
  map: fc.nat(MAPS.length),
})

test('sets of shards follow every change, and documents of others are left out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const folder = temporaryIndex()
      const held = new Set<string>()
      for (const { kind, ids, map: place } of steps) {
        const map = MAPS[place]
        const isKept = (id: string) => map === undefined || map.owned.has(shardOf(map.names, id))
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
          const foreign = kind === 'shards' ? [] : [...held].filter((id) => !isKept(id))
          if (kind === 'dropForeign') expect(outcome).toEqual({ ok: true, deleted: foreign.length })
          for (const id of foreign) held.delete(id)
        }
        expect(idsOf(folder, folder.docIds())).toEqual([...held].sort())
        expect(contents(folder)).toEqual(map === undefined ? {} : expected(held, map))
      }
    }),
    { numRuns: 25 },
  )
})

test('an assignment that is stopped leaves the shards as they were', async () => {
  const folder = temporaryIndex()
  run(folder, { kind: 'documents', operations: [await addition(['1', '2', '3'])] }, MAPS[0])
  expect(() => run(folder, { kind: 'shards' }, MAPS[2], () => true)).toThrow(JobCancelled)
  expect(readShardNames(folder.databases.shards)).toEqual(['s1'])
  expect(contents(folder)).toEqual({ s1: ['1', '2', '3'] })
})
