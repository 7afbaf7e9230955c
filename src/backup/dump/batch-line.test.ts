import { expect, test } from 'vitest'
import { fromPlain, parse } from '../../json/index.js'
import type { Batch } from '../../tasks/index.js'
import { batchLine, readBatch } from './batch-line.js'

const BATCH: Batch = {
  uid: 4,
  details: { receivedDocuments: 3, stopWords: ['a'] },
  stats: { totalNbTasks: 2, status: { succeeded: 2 }, types: { settingsUpdate: 2 }, indexUids: { a: 2 } },
  startedAt: '2026-01-05T10:00:02Z',
  finishedAt: '2026-01-05T10:00:03.5Z',
  enqueuedAt: { earliest: '2026-01-05T10:00:00Z', latest: '2026-01-05T10:00:01Z' },
  strategy: 'because',
}

const reread = (batch: Batch): Batch => {
  const parsed = parse(batchLine(batch))
  if (!parsed.ok) throw new Error(parsed.reason)
  return readBatch(parsed.value, 'here')
}

test('a batch is read back as it was', () => {
  expect(reread(BATCH)).toEqual(BATCH)
  expect(reread({ ...BATCH, enqueuedAt: null })).toEqual({ ...BATCH, enqueuedAt: null })
})

test('the two times of enqueuing have the names that dumps give them', () => {
  expect(batchLine(BATCH)).toContain(
    '"enqueuedAt":{"earliest":"2026-01-05T10:00:01Z","oldest":"2026-01-05T10:00:00Z"},"stopReason":"because"',
  )
})

test('requests to embedders stand beside the other numbers', () => {
  const stats = { ...BATCH.stats, embedderRequests: { total: 3, failed: 1, lastError: 'no' } }
  const batch = { ...BATCH, stats }
  expect(batchLine(batch)).toContain('"embedderStats":{"total":3,"failed":1,"lastError":"no"}')
  expect(reread(batch)).toEqual(batch)
})

test('a batch of a version that kept less is complete', () => {
  const old = { uid: 0, stats: BATCH.stats, startedAt: BATCH.startedAt }
  expect(readBatch(fromPlain(old), 'here')).toEqual({
    ...BATCH,
    uid: 0,
    details: {},
    finishedAt: BATCH.startedAt,
    enqueuedAt: null,
    strategy: 'unspecified',
  })
})
