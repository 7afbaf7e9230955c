import { describe, expect, test } from 'vitest'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { createIndex, importOf, swapOf, taskOf, updateIndex } from '../task.fixture.js'
import { TaskStore } from './task-store.js'

const list = (bitmap: { toArray(): Uint32Array }): number[] => [...bitmap.toArray()]

/** All that a store tells about its tasks. */
function facts(store: TaskStore) {
  return {
    all: list(store.all()),
    enqueued: list(store.withStatus('enqueued')),
    succeeded: list(store.withStatus('succeeded')),
    creations: list(store.withType('indexCreation')),
    indexes: store.tiedIndexes().sort(),
    batches: list(store.allBatches()),
    next: store.nextTaskUid(),
  }
}

test('a stored task is found by all that it is', async () => {
  const environment = temporaryEnvironment()
  const store = new TaskStore(environment)
  await store.write(() =>
    store.change([{ after: taskOf(0, createIndex('a')) }, { after: taskOf(1, swapOf(['a', 'b'])) }]),
  )
  const done = taskOf(0, createIndex('a'), { status: 'succeeded', batchUid: 4, canceledBy: 9 })
  await store.write(() => store.change([{ before: store.get(0), after: done }]))
  for (const each of [store, new TaskStore(environment)]) {
    expect(each.get(0)).toEqual(done)
    expect(facts(each)).toMatchObject({
      all: [0, 1],
      enqueued: [1],
      succeeded: [0],
      creations: [0],
      indexes: ['a', 'b'],
    })
    expect([list(each.tiedTo('a')), list(each.tiedTo('b')), list(each.ofBatch(4)), list(each.canceledBy(9))]).toEqual([
      [0, 1],
      [1],
      [0],
      [0],
    ])
  }
})

test('a task that is deleted is gone from everywhere, and the next uid follows the highest left', async () => {
  const store = new TaskStore(temporaryEnvironment())
  const task = taskOf(7, updateIndex('a', 'b'), { batchUid: 2 })
  await store.write(() => store.add(task))
  expect(store.nextTaskUid()).toBe(8)
  await store.write(() => store.change([{ before: task }]))
  expect(store.get(7)).toBeUndefined()
  expect(facts(store)).toEqual({
    all: [],
    enqueued: [],
    succeeded: [],
    creations: [],
    indexes: [],
    batches: [],
    next: 0,
  })
  expect(store.ofBatch(2).isEmpty).toBe(true)
  expect(store.dates.between('taskEnqueued', {}).isEmpty).toBe(true)
})

test('a task can be read as soon as it is registered, but is ready only when it is on disk', async () => {
  const store = new TaskStore(temporaryEnvironment())
  await store.write(() => store.add(taskOf(0, createIndex('a'))))
  let between: unknown
  const written = store.write(() => {
    store.add(taskOf(1, createIndex('b')))
    // Runs after the work, and before the commit.
    queueMicrotask(() => {
      between = { known: store.get(1)?.uid, enqueued: list(store.withStatus('enqueued')), ready: list(store.ready()) }
    })
  })
  await written
  expect(between).toEqual({ known: 1, enqueued: [0, 1], ready: [0] })
  expect(list(store.ready())).toEqual([0, 1])
})

describe('a write that fails', () => {
  const failing = (store: TaskStore, uid: number) =>
    store.write(() => {
      store.add(taskOf(uid, importOf('broken')))
      throw new Error('no')
    })

  test('leaves no trace', async () => {
    const store = new TaskStore(temporaryEnvironment())
    await store.write(() => store.add(taskOf(0, createIndex('a'))))
    const before = facts(store)
    await expect(failing(store, 1)).rejects.toThrow('no')
    expect(facts(store)).toEqual(before)
    expect(store.get(1)).toBeUndefined()
  })

  test('does not take its neighbours with it, in memory or on disk', async () => {
    const environment = temporaryEnvironment()
    const store = new TaskStore(environment)
    const register = () => store.write(() => store.add(taskOf(store.nextTaskUid(), createIndex('a'))))
    const outcomes = await Promise.allSettled([
      register(),
      failing(store, 50),
      register(),
      failing(store, 51),
      register(),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    await register()
    const expected = { all: [0, 1, 2, 3], enqueued: [0, 1, 2, 3], indexes: ['a'], next: 4 }
    expect(facts(store)).toMatchObject(expected)
    expect(facts(new TaskStore(environment))).toMatchObject(expected)
  })
})

test('what is used shrinks when tasks are deleted, though the file does not', async () => {
  const store = new TaskStore(temporaryEnvironment())
  const tasks = Array.from({ length: 500 }, (_, uid) =>
    taskOf(uid, createIndex(`index-${uid}`), { customMetadata: 'x'.repeat(1000) }),
  )
  await store.write(() => store.change(tasks.map((after) => ({ after }))))
  expect(store.holds(500_000)).toBe(true)
  await store.write(() => store.change(tasks.map((before) => ({ before }))))
  expect(store.usedBytes()).toBeLessThan(100_000)
  expect(store.holds(500_000)).toBe(false)
})
