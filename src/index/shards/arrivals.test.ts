import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import { shardVersion } from '../../sharding/index.js'
import { runIndexJob } from '../apply/run-job.js'
import { StoredArrivals } from './arrivals.js'

const OWNERS = new Map([
  ['s1', ['a']],
  ['s2', ['b']],
])
const MORE_OWNERS = new Map([...OWNERS, ['s3', ['a', 'b']]])

interface Addition {
  readonly ids: readonly string[]
  readonly task?: number
  /** The server that it is for, and the shards of the network; none where nobody leads one. */
  readonly self?: string
  readonly owners?: ReadonlyMap<string, readonly string[]>
}

let batches = 0

async function add(folder: IndexFolder, { ids, task, self, owners = OWNERS }: Addition): Promise<void> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(ids.map((id) => ({ id }))))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  const payload = { bytes: Buffer.concat(parts) }
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  const job = {
    path: '',
    indexUid: 'shop',
    now: '2026-01-05T10:00:00Z',
    batchKey: `b${batches++}`,
    create: { primaryKey: 'id' },
    work: { kind: 'documents', operations: [{ ...operation, ...(task !== undefined && { task }) }] } as const,
    ...(self !== undefined && { shards: shardVersion({ version: `v${owners.size}`, shards: owners }, self) }),
  }
  const hooks = { progress() {}, isCancelled: () => false }
  const [outcome] = runIndexJob(folder, job, { selectByFilter: () => Bitmap.empty() }, hooks).outcomes
  expect(outcome).toMatchObject({ ok: true })
}

/** Ids and numbers of the documents of some indexes, in the order of the numbers. */
function arrivals(folders: readonly IndexFolder[]): string[] {
  const found = folders.flatMap((folder) => {
    const stored = new StoredArrivals(folder.databases.shards)
    const entries = [...folder.databases.externalIds.range()]
    return entries.map(({ key, value }) => ({ id: key.toString(), at: stored.of(value.readUInt32BE(0)) }))
  })
  return found.sort((a, b) => a.at! - b.at!).map(({ id }) => id)
}

const some = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `d${to - 1 - i}`)

test('documents on several servers are in the order in which one server would have numbered them', async () => {
  const [a, b] = [temporaryIndex(), temporaryIndex()]
  for (const [self, folder] of [['a', a] as const, ['b', b] as const]) {
    await add(folder, { self, ids: some(0, 1500), task: 3 })
    await add(folder, { self, ids: some(1400, 1600), task: 4 })
    await add(folder, { self, ids: some(1600, 1650), task: 7, owners: MORE_OWNERS })
  }
  const expected = [...some(0, 1500), ...some(1500, 1600), ...some(1600, 1650)]
  expect(a.docIds().size).toBeGreaterThan(600)
  expect([...new Set(arrivals([a, b]))]).toEqual(expected)
})

test('documents that were there before come first', async () => {
  const folder = temporaryIndex()
  await add(folder, { ids: ['y', 'x'], task: 90 })
  expect(new StoredArrivals(folder.databases.shards).of(0)).toBeUndefined()
  await add(folder, { self: 'a', owners: new Map([['s1', ['a']]]), ids: ['w', 'x', 'v'], task: 0 })
  expect(arrivals([folder])).toEqual(['y', 'x', 'w', 'v'])
})
