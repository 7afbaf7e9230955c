import { describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import type { TaskContent } from '../model/task.js'
import { TaskStore } from '../store/task-store.js'
import {
  compactIndex,
  deleteIndex,
  editOf,
  importOf,
  settingsOf,
  swapOf,
  taskOf,
  updateIndex,
} from '../task.fixture.js'
import { type PlanLimits, planNext } from './plan.js'

const UNLIMITED: PlanLimits = { maxTasks: Number.POSITIVE_INFINITY, maxPayloadBytes: Number.POSITIVE_INFINITY }

const about = (type: 'taskCancelation' | 'taskDeletion'): TaskContent => ({ type, query: '?', matched: 0, tasks: '' })

async function storeOf(contents: readonly TaskContent[]): Promise<TaskStore> {
  const store = new TaskStore(temporaryEnvironment())
  await store.write(() => store.change(contents.map((content, uid) => ({ after: taskOf(uid, content) }))))
  return store
}

async function plan(contents: readonly TaskContent[], limits = UNLIMITED) {
  const store = await storeOf(contents)
  const next = planNext(store, () => ({ exists: true, primaryKey: 'id' }), limits)
  return next && { kind: next.kind, uids: next.tasks.map((task) => task.uid), strategy: next.strategy }
}

describe('a change of the network', () => {
  const change: TaskContent = { type: 'networkTopologyChange', state: '{}' }

  async function around(contents: readonly TaskContent[], topology: { isReady: boolean; imports?: number[] }) {
    const { isReady, imports = [] } = topology
    const store = await storeOf(contents)
    const facts = () => ({ exists: true, primaryKey: 'id' })
    const planned = { isReady: () => isReady, imports: () => Bitmap.of(...imports) }
    return planNext(store, facts, UNLIMITED, planned)?.tasks.map((task) => task.uid)
  }

  test('waits for older tasks, which are not batched with later ones', async () => {
    expect(await around([importOf('m'), change, importOf('m')], { isReady: true })).toEqual([0])
  })

  test('comes before later tasks, also while it waits for other servers', async () => {
    expect(await around([change, importOf('m')], { isReady: true })).toEqual([0])
    expect(await around([change, importOf('m')], { isReady: false })).toBeUndefined()
  })

  test('lets documents pass that belong to it, and what concerns no index', async () => {
    const work = [change, importOf('m'), importOf('m'), importOf('n')]
    expect(await around(work, { isReady: true, imports: [2] })).toEqual([2])
    expect(await around([...work, about('taskDeletion')], { isReady: false })).toEqual([4])
  })
})

test('nothing waits: there is no plan', async () => {
  expect(await plan([])).toBeUndefined()
})

describe('priorities', () => {
  const work = [importOf('m'), compactIndex('m'), about('taskDeletion'), about('taskCancelation')]

  test('the last cancelation comes first, alone', async () => {
    const next = await plan([...work, about('taskCancelation'), compactIndex('n'), about('taskDeletion')])
    expect(next).toMatchObject({ kind: 'cancelation', uids: [4] })
    expect(next?.strategy).toMatch(/taskCancelation.*task 4/)
  })

  test('then all deletions of tasks together', async () => {
    const next = await plan([...work.slice(0, 3), compactIndex('n'), about('taskDeletion')])
    expect(next).toMatchObject({ kind: 'deletion', uids: [2, 4] })
    expect(next?.strategy).toContain('taskDeletion')
  })

  test('then the first compaction, alone', async () => {
    expect(await plan([...work.slice(0, 2), compactIndex('n')])).toMatchObject({ kind: 'compaction', uids: [1] })
  })

  test('then the oldest task and what can be batched with it', async () => {
    expect(await plan([importOf('m'), importOf('n'), importOf('m')])).toMatchObject({
      kind: 'operations',
      uids: [0, 2],
    })
  })
})

test('tasks that are finished are not planned', async () => {
  const store = await storeOf([importOf('m'), importOf('m')])
  const done = taskOf(0, importOf('m'), { status: 'succeeded' })
  await store.write(() => store.change([{ before: store.get(0), after: done }]))
  const next = planNext(store, () => ({ exists: true, primaryKey: 'id' }), UNLIMITED)
  expect(next?.tasks.map((task) => task.uid)).toEqual([1])
})

describe('tasks tied to several indexes', () => {
  test('a swap is processed alone, be its list empty', async () => {
    expect(await plan([swapOf(['m', 'n']), importOf('m')])).toMatchObject({ kind: 'alone', uids: [0] })
    expect(await plan([swapOf(), importOf('m')])).toMatchObject({ kind: 'alone', uids: [0] })
  })

  test('a swap or rename stops the batches of both its indexes', async () => {
    expect(await plan([importOf('m'), swapOf(['n', 'm']), importOf('m')])).toMatchObject({ uids: [0] })
    expect(await plan([importOf('m'), updateIndex('n', 'm'), importOf('m')])).toMatchObject({ uids: [0] })
    expect(await plan([importOf('m'), swapOf(['n', 'o']), importOf('m')])).toMatchObject({ uids: [0, 2] })
  })
})

describe('limits', () => {
  const of = (bytes: number) => importOf('m', { payload: { place: 'inline', bytes } })

  test('none at all stops all processing, that of tasks about tasks included', async () => {
    const limits = { ...UNLIMITED, maxTasks: 0 }
    expect(await plan([importOf('m')], limits)).toBeUndefined()
    expect(await plan([about('taskCancelation'), about('taskDeletion')], limits)).toBeUndefined()
  })

  test('a batch has at most so many tasks', async () => {
    const next = await plan([of(1), of(1), of(1)], { ...UNLIMITED, maxTasks: 2 })
    expect(next).toMatchObject({ uids: [0, 1] })
    expect(next?.strategy).toContain('limit of 2 tasks')
  })

  test('a batch whose tasks are as many as the limit was not limited', async () => {
    const next = await plan([of(1), of(1)], { ...UNLIMITED, maxTasks: 2 })
    expect(next?.strategy).toBe('all enqueued tasks were batched')
  })

  test('payloads are added up to the limit, the first is always taken', async () => {
    const limits = { ...UNLIMITED, maxPayloadBytes: 10 }
    const next = await plan([of(4), of(6), of(1)], limits)
    expect(next).toMatchObject({ uids: [0, 1] })
    expect(next?.strategy).toMatch(/limit of 10 bytes.*11 bytes/)
    expect(await plan([of(99), of(1)], limits)).toMatchObject({ uids: [0] })
  })

  test('a reason found by the tasks themselves wins', async () => {
    const next = await plan([of(1), settingsOf('m'), of(1)], { ...UNLIMITED, maxTasks: 2 })
    expect(next?.strategy).toMatch(/before task 1/)
  })
})

describe('why a batch ends', () => {
  test('everything that waits is in it', async () => {
    expect((await plan([importOf('m'), importOf('m')]))?.strategy).toBe('all enqueued tasks were batched')
  })

  test('everything of its index is in it', async () => {
    expect((await plan([importOf('m'), importOf('n')]))?.strategy).toContain('index "m"')
  })

  test.each([
    [[importOf('m'), settingsOf('m')], /before task 1: settings/],
    [[settingsOf('m'), importOf('m')], /before task 1: a document operation/],
    [[importOf('m'), deleteIndex('m'), importOf('m')], /after task 1/],
    [[editOf('m'), importOf('m')], /documentEdition.*task 0/],
  ])('the reason is named (%#)', async (contents, reason) => {
    expect((await plan(contents))?.strategy).toMatch(reason)
  })
})
