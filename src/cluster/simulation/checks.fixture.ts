import { isDeepStrictEqual } from 'node:util'
import type { DecidedBatch, Task } from '../../tasks/index.js'
import { type History, readCounter } from './clients.fixture.js'
import type { SimulatedServer } from './server.fixture.js'
import type { SimulatedStream } from './stream.fake.js'

const jsonOf = <T>(server: SimulatedServer, database: string): T[] =>
  Array.from(server.folders.system.database(database).range(), ({ value }) => JSON.parse(value.toString()) as T)

/** Everything that has to hold when all servers run and nothing waits, as sentences about what does not. */
export function findProblems(servers: readonly SimulatedServer[], history: History, stream: SimulatedStream): string[] {
  const first = servers[0]!
  return [
    ...servers.slice(1).flatMap((server) => differences(first, server)),
    ...checkTasks(jsonOf<Task>(first, 'tasks'), history),
    ...checkBatches(first, stream),
    ...servers.flatMap((server) => checkIndex(server)),
    ...(['system', 'auth'] as const).flatMap((place) => checkCounter(first, history, place)),
  ]
}

const COMPARED = { system: ['tasks', 'batches', 'counters'], auth: ['counters'], index: ['index'] } as const

function differences(a: SimulatedServer, b: SimulatedServer): string[] {
  return (['system', 'auth', 'index'] as const).flatMap((place) =>
    COMPARED[place]
      .filter((name) => !isDeepStrictEqual(a.folders[place].content([name]), b.folders[place].content([name])))
      .map((name) => `${name} in ${place} differ between ${a.name} and ${b.name}`),
  )
}

function checkTasks(tasks: readonly Task[], { tasks: asked }: History): string[] {
  const uids = new Map<string, number[]>()
  for (const { content, uid } of tasks) {
    const name = 'indexUid' in content ? content.indexUid : ''
    uids.set(name, [...(uids.get(name) ?? []), uid])
  }
  const problems: string[] = []
  for (const [name, found] of uids) if (found.length > 1) problems.push(`${name} is there as tasks ${found.join(', ')}`)
  for (const [name, uid] of asked)
    if (uid !== undefined && uids.get(name)?.[0] !== uid)
      problems.push(`${name} was answered with ${uid}, which it is not`)
  for (const { uid, status } of tasks) if (status !== 'succeeded') problems.push(`task ${uid} is ${status}`)
  return problems
}

/** Batches as they were carried out: those of the log, each once, with each task in one of them. */
function checkBatches(server: SimulatedServer, stream: SimulatedStream): string[] {
  const batches = jsonOf<DecidedBatch & { readonly uid: number }>(server, 'batches')
  const inLog = [...new Set(stream.entries.filter(({ kind }) => kind === 'batch').map(({ id }) => id))]
  const tasks = batches.flatMap((batch) => batch.tasks)
  return [
    ...(isDeepStrictEqual(
      batches.map(({ id }) => id),
      inLog,
    )
      ? []
      : [`the batches of the log are ${inLog}, carried out were ${batches.map(({ id }) => id)}`]),
    ...(new Set(tasks).size === tasks.length
      ? []
      : [`batches hold tasks twice: ${batches.map((batch) => `[${batch.tasks}]`)}`]),
    ...batches.filter(({ uid }, place) => uid !== place).map(({ uid }, place) => `batch ${place} has the uid ${uid}`),
  ]
}

function checkIndex(server: SimulatedServer): string[] {
  const committed = Number(server.folders.index.database('index').get(Buffer.from('count'))?.toString() ?? 0)
  const batches = server.folders.system.database('batches').count()
  return committed === batches ? [] : [`the index of ${server.name} had ${committed} batches instead of ${batches}`]
}

/** Each change counted on from the one before: no two saw the same number. */
function checkCounter(server: SimulatedServer, history: History, place: 'system' | 'auth'): string[] {
  const database = server.folders[place].database('counters')
  const by = new Map(
    Array.from(database.range({ start: Buffer.from('by '), end: Buffer.from('by!') }), ({ key, value }) => [
      key.toString().slice(3),
      Number(value.toString()),
    ]),
  )
  const lost = [...history.changes[place]].filter(([name, isAcknowledged]) => isAcknowledged && !by.has(name))
  const isSerial = new Set(by.values()).size === by.size && readCounter(database) === by.size
  return [
    ...lost.map(([name]) => `the change ${name} of ${place} was acknowledged and is lost`),
    ...(isSerial ? [] : [`${by.size} changes of ${place} counted to ${readCounter(database)}`]),
  ]
}
