import { expect, test } from 'vitest'
import { ok } from '../../errors/index.js'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { type LoggedTask, type NewTask, type Task, TaskStore } from '../../tasks/index.js'
import { Ledger } from '../ledger/ledger.js'
import type { ClusterRecord } from '../records/record.js'
import { encodeRecord } from '../records/record-codec.js'
import { Applier, type ReadEntry } from './applier.js'
import { ReplicatedState } from './replicated-state.js'

const writer = {
  lastState: () => 0,
  append: async () => {},
  laterState: async () => {},
  newId: () => 'new',
}

const WAITING = {
  batchUid: null,
  status: 'enqueued',
  results: null,
  error: null,
  canceledBy: null,
  startedAt: null,
  finishedAt: null,
}

function openApplier() {
  const system = temporaryEnvironment()
  const auth = temporaryEnvironment()
  const ledger = new Ledger(system)
  const store = new TaskStore(system)
  const register = ({ content, enqueuedAt }: LoggedTask) => {
    const task = { ...WAITING, uid: store.nextTaskUid(), content, enqueuedAt } as Task
    store.add(task)
    return ok(task)
  }
  const states = {
    system: new ReplicatedState('system', system, writer),
    auth: new ReplicatedState('auth', auth, writer),
  }
  const applier = new Applier({
    ledger,
    write: (work) => store.write(work),
    registerTasks: (tasks) => tasks.map(register),
    system: states.system,
    auth: { environment: auth, state: states.auth },
  })
  return { applier, ledger, store, states, system, auth }
}

const entry = (sequence: number, record: ClusterRecord, id = `id-${sequence}`): ReadEntry => ({
  entry: { sequence, id, kind: record.kind, body: encodeRecord(record) },
  record,
})
const create = (indexUid: string): NewTask => ({ type: 'indexCreation', indexUid, primaryKey: null })
const tasks = (...indexUids: string[]): ClusterRecord => ({
  kind: 'task',
  tasks: indexUids.map((uid) => ({ enqueuedAt: '2026-01-05T10:00:00Z', content: create(uid), options: {} })),
})
const put = (place: 'system' | 'auth', value: string): ClusterRecord => ({
  kind: 'state',
  place,
  database: 'things',
  clears: false,
  entries: [[Buffer.from('k'), Buffer.from(value)]],
})
const batch = (chain = { sequence: 0, hash: '' }) =>
  ({ kind: 'batch', decision: { id: 'b' }, chain }) as unknown as ClusterRecord

test('tasks get their uids by their places, and whoever appended one hears of it', async () => {
  const { applier, store, ledger } = openApplier()
  const group = [entry(1, tasks('a', 'b')), entry(2, put('system', 'x')), entry(3, tasks('c'))]
  const { registered } = await applier.apply(group)
  expect([...registered].map(([id, results]) => [id, results.map((result) => result.ok && result.value.uid)])).toEqual([
    ['id-1', [0, 1]],
    ['id-3', [2]],
  ])
  expect(store.get(1)).toMatchObject({ enqueuedAt: '2026-01-05T10:00:00Z', content: create('b') })
  expect([ledger.link.sequence, ledger.lastOf('task'), ledger.lastOf('state')]).toEqual([3, 3, 2])
})

test('an entry that came twice counts once, in one group or in two', async () => {
  const { applier, store } = openApplier()
  await applier.apply([entry(1, tasks('a'), 'same'), entry(2, tasks('a'), 'same')])
  await applier.apply([entry(3, tasks('a'), 'same')])
  expect(store.all().size).toBe(1)
})

test('state is where it belongs, and followers hear of it when it is on disk', async () => {
  const { applier, states } = openApplier()
  const heard: string[] = []
  for (const place of ['system', 'auth'] as const) {
    states[place].follow('things', (keys) =>
      heard.push(`${place} ${keys.length} ${states[place].database('things').get(keys[0]!)}`),
    )
  }
  await applier.apply([entry(1, put('system', 'x')), entry(2, put('auth', 'y'))])
  expect(heard.sort()).toEqual(['auth 1 y', 'system 1 x'])
})

test('state in a folder of its own does not go back when a group is applied again', async () => {
  const { applier, states, auth } = openApplier()
  await applier.apply([entry(1, put('auth', 'first')), entry(2, put('auth', 'second'))])
  // As after a crash between the two folders: the other one knows nothing of these entries.
  const again = openApplier()
  const repeated = new Applier({
    ledger: again.ledger,
    write: (work) => again.store.write(work),
    registerTasks: () => [],
    system: again.states.system,
    auth: { environment: auth, state: states.auth },
  })
  await repeated.apply([entry(1, put('auth', 'first'))])
  expect(states.auth.database('things').get(Buffer.from('k'))?.toString()).toBe('second')
})

test('a batch is to be carried out, unless this server has done so already', async () => {
  const { applier, ledger, store } = openApplier()
  await applier.apply([entry(1, batch())])
  expect(ledger.firstPending()).toMatchObject({ sequence: 1, id: 'b' })
  await store.write(() => ledger.putCarriedOut(2, 0))
  await applier.apply([entry(2, batch(), 'other')])
  await store.write(() => ledger.putCarriedOut(1, 0))
  expect(ledger.firstPending()).toBeUndefined()
})

test('who has read something else than the coordinator finds out with its next batch', async () => {
  const [a, b] = [openApplier(), openApplier()]
  await a.applier.apply([entry(1, tasks('a')), entry(2, tasks('b'))])
  await b.applier.apply([entry(1, tasks('a')), entry(2, tasks('c'), 'id-2')])
  const decided = entry(3, batch(a.ledger.link))
  await a.applier.apply([decided])
  await expect(b.applier.apply([decided])).rejects.toThrow(/has read something else of the log up to 2/)
  expect(b.ledger.link.sequence).toBe(2)
})

test('a hole is an error', async () => {
  const { applier } = openApplier()
  await expect(applier.apply([entry(1, tasks('a')), entry(3, tasks('b'))])).rejects.toThrow(
    'entry 3 of the log does not follow 1',
  )
})
