import { expect, test } from 'vitest'
import type { IndexStats } from '../../index/index.js'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { JobCancelled } from '../../threads/index.js'
import type { Indexing } from '../run/indexing.js'
import { IndexCatalogue } from '../store/index-catalogue.js'
import { TaskStore } from '../store/task-store.js'
import { SetRefresh } from './set-refresh.js'

const STATS: IndexStats = {
  primaryKey: 'id',
  createdAt: '2026-01-05T10:00:00Z',
  updatedAt: '2026-01-05T10:00:00Z',
  numberOfDocuments: 100_000,
  rawDocumentDbSize: 1,
  avgDocumentSize: 1,
  fieldDistribution: [],
  sizeBytes: 1,
  usedBytes: 1,
  databaseBytes: {},
  numberOfEmbeddings: 0,
  numberOfEmbeddedDocuments: 0,
  areSetsDue: true,
}

/** Indexes with these uids, of which each takes so many parts to refresh. Parts end when they are told to. */
function openRefresh(uids: readonly string[], parts = 1) {
  const environment = temporaryEnvironment()
  const [store, catalogue] = [new TaskStore(environment), new IndexCatalogue(environment)]
  const asked: string[] = []
  let left = parts
  let end: () => void = () => {}
  const indexing = {
    refreshSets(path: string) {
      asked.push(path)
      let cancel: () => void = () => {}
      const done = new Promise<IndexStats>((resolve, reject) => {
        end = () => resolve({ ...STATS, sizeBytes: 2, areSetsDue: --left > 0 })
        cancel = () => reject(new JobCancelled())
      })
      return { done, cancel }
    },
  } as unknown as Indexing
  const open = () => new SetRefresh({ store, catalogue, indexing, indexesPath: 'indexes' })
  const write = store.write(() => {
    for (const uid of uids) catalogue.put({ uid, folder: `of-${uid}`, stats: STATS })
  })
  return { open, write, catalogue, asked, endPart: () => end() }
}

test('a server that was stopped goes on with the indexes whose sets are due, part by part', async () => {
  const { open, write, catalogue, asked, endPart } = openRefresh(['films', 'songs'], 2)
  await write
  const refresh = open()
  expect(refresh.next).toBe('films')
  const first = refresh.refresh('films')
  endPart()
  await first
  expect(catalogue.get('films')?.stats).toMatchObject({ sizeBytes: 2, areSetsDue: true })
  const second = refresh.refresh('films')
  endPart()
  await second
  expect(catalogue.get('films')?.stats.areSetsDue).toBe(false)
  expect(asked).toEqual(['indexes/of-films', 'indexes/of-films'])
  expect(open().next).toBe('songs')
})

test('whoever waits stops it, unless it has waited for 64 batches', async () => {
  const { open, write, catalogue, endPart } = openRefresh(['films'])
  await write
  const refresh = open()
  const stopped = refresh.refresh('films')
  refresh.interrupt()
  await stopped
  expect([refresh.next, refresh.overdue]).toEqual(['films', undefined])
  for (let batch = 0; batch < 64; batch++) refresh.note(['films'])
  expect(refresh.overdue).toBe('films')
  const overdue = refresh.refresh('films')
  refresh.interrupt()
  endPart()
  await overdue
  expect([refresh.next, catalogue.get('films')?.stats.areSetsDue]).toEqual([undefined, false])
})

test('a server that closes stops it in any case, and what is overdue stays so', async () => {
  const { open, write } = openRefresh(['films'])
  await write
  const refresh = open()
  for (let batch = 0; batch < 64; batch++) refresh.note(['films'])
  const stopped = refresh.refresh('films')
  refresh.stop()
  await stopped
  expect(refresh.overdue).toBe('films')
})

test('an index that is gone is forgotten', async () => {
  const { open, write, catalogue, asked } = openRefresh(['films'])
  await write
  const refresh = open()
  catalogue.delete('films')
  await refresh.refresh('films')
  expect([asked, refresh.next]).toEqual([[], undefined])
})
