import { expect, test, vi } from 'vitest'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { TaskStore } from '../store/task-store.js'
import { createIndex, importOf, taskOf } from '../task.fixture.js'
import { type NewTask, Registrar } from './registrar.js'

function openRegistrar(maxStoreBytes = Number.POSITIVE_INFINITY) {
  const environment = temporaryEnvironment()
  const store = new TaskStore(environment)
  const registrar = new Registrar({ store, now: () => '2026-01-05T10:00:00Z', maxStoreBytes })
  return { environment, store, registrar }
}

const addition = (text: string): NewTask => ({
  ...importOf('a'),
  payload: { place: 'inline', content: Buffer.from(text) },
})

test('requests at once are registered in their order, with one transaction', async () => {
  const { environment, store, registrar } = openRegistrar()
  const write = vi.spyOn(environment, 'write')
  const tasks = await Promise.all(['x', 'y', 'z'].map((text) => registrar.register(addition(text), {})))
  expect(tasks.map((task) => task.ok && task.value.uid)).toEqual([0, 1, 2])
  expect([0, 1, 2].map((uid) => store.payload(uid)?.toString())).toEqual(['x', 'y', 'z'])
  expect(write).toHaveBeenCalledTimes(1)
})

test('what is registered together was enqueued at the same time', async () => {
  const store = new TaskStore(temporaryEnvironment())
  let minute = 10
  const now = () => `2026-01-05T10:${minute++}:00Z`
  const registrar = new Registrar({ store, now, maxStoreBytes: Number.POSITIVE_INFINITY })
  const register = (uid: string) => registrar.register(createIndex(uid), {})
  const tasks = [...(await Promise.all([register('a'), register('b')])), await register('c')]
  const times = ['2026-01-05T10:10:00Z', '2026-01-05T10:10:00Z', '2026-01-05T10:11:00Z']
  expect(tasks.map((task) => task.ok && task.value.enqueuedAt)).toEqual(times)
})

test('a refused request leaves no gap, and its neighbours alone', async () => {
  const { store, registrar } = openRegistrar()
  const tasks = await Promise.all([
    registrar.register(createIndex('a'), { taskId: 7 }),
    registrar.register(createIndex('b'), { taskId: 7 }),
    registrar.register(createIndex('c'), {}),
  ])
  expect(tasks.map((task) => (task.ok ? task.value.uid : task.failure.code))).toEqual([7, 'bad_request', 8])
  expect([...store.all()]).toEqual([7, 8])
})

test('after a transaction that failed the next requests are registered', async () => {
  const { environment, store, registrar } = openRegistrar()
  vi.spyOn(environment, 'write').mockRejectedValueOnce(new Error('the disk is full'))
  const failed = await Promise.allSettled([
    registrar.register(createIndex('a'), {}),
    registrar.register(createIndex('b'), {}),
  ])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await registrar.register(createIndex('c'), {})).toMatchObject({ ok: true, value: { uid: 0 } })
  expect(store.get(0)?.content).toEqual(createIndex('c'))
})

test('a full store refuses also what was asked for in advance', async () => {
  const { registrar } = openRegistrar(0)
  const refusal = { ok: false, failure: { code: 'no_space_left_on_device' } }
  expect(registrar.preview(createIndex('a'), {})).toMatchObject(refusal)
  expect(await registrar.register(createIndex('a'), {})).toMatchObject(refusal)
})

test('when the last number is taken, requests are refused and nothing breaks', async () => {
  const { environment, store, registrar } = openRegistrar()
  await environment.write(() => store.add(taskOf(2 ** 32 - 1, createIndex('a'))))
  const refused = await registrar.register(createIndex('b'), {})
  expect(refused).toMatchObject({ ok: false, failure: { code: 'no_space_left_on_device' } })
  expect([...store.all()]).toEqual([2 ** 32 - 1])
})
