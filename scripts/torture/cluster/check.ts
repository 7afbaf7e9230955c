import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { History } from './history.js'
import { type Document, ExpectedIndexes, INDEXES, labelOf, type SeenTask, SWAPPED } from './operations.js'
import { type CheckedServer, documentsOf, eventsOf } from './pages.js'

const SETTLE_MS = 180_000
const POLL_MS = 100

/** Compares what servers hold with each other and with the history, while nobody writes. */
export class Checker {
  private readonly expected = new ExpectedIndexes()
  private readonly seen = new Set<string>()
  private next: number

  constructor(
    private readonly servers: readonly CheckedServer[],
    private readonly history: History,
    /** The first task of the writers. */
    firstUid: number,
    /** Where documents are divided among servers, they are not listed in one order. */
    private readonly sort?: string,
  ) {
    this.next = firstUid
  }

  /** Of what came since the check before. Answers what is wrong. */
  async check(): Promise<string[]> {
    const problems = [...this.history.problems]
    await this.settle()
    const { servers } = this
    for (const task of await eventsOf<SeenTask>('/tasks', { servers, from: this.next, problems }))
      problems.push(...this.checkTask(task))
    problems.push(...this.checkAcknowledged())
    for (const index of INDEXES) problems.push(...(await this.checkIndex(index)))
    problems.push(...(await this.checkKeys()), ...servers.flatMap(complaintsOf))
    return problems
  }

  /** The same for everything, and all batches. */
  async checkAll(): Promise<string[]> {
    const problems = await this.check()
    const { servers } = this
    const tasks = await eventsOf<SeenTask>('/tasks', { servers, problems })
    if (tasks.length !== this.next) problems.push(`${tasks.length} tasks are listed, the last uid is ${this.next - 1}`)
    await eventsOf('/batches', { servers, problems })
    return problems
  }

  get tasks(): number {
    return this.next
  }

  private async settle(): Promise<void> {
    const end = performance.now() + SETTLE_MS
    for (const server of this.servers) {
      for (;;) {
        const path = '/tasks?statuses=enqueued,processing&limit=1'
        const { body } = await server.request('GET', path)
        if (body.total === 0) break
        if (performance.now() > end)
          throw new Error(`${body.total} tasks wait on ${server.name}, the first is ${JSON.stringify(body.results[0])}`)
        await sleep(POLL_MS)
      }
    }
  }

  private checkTask(task: SeenTask): string[] {
    const problems: string[] = []
    if (task.uid !== this.next) problems.push(`task ${task.uid} follows ${this.next - 1}`)
    this.next = task.uid + 1
    if (task.status !== 'succeeded') problems.push(`task ${task.uid} is ${task.status}: ${JSON.stringify(task)}`)
    const acknowledged = this.history.acknowledged.get(task.uid)
    const label = task.type === 'indexSwap' ? acknowledged : labelOf(task)
    if (acknowledged !== undefined && acknowledged !== label)
      problems.push(`${acknowledged} was acknowledged as task ${task.uid}, which is ${label}`)
    const operation = this.history.attempts.get(label ?? '')
    if (operation === undefined) {
      // A swap that was not answered cannot be told from another one.
      if (task.type === 'indexSwap') this.expected.apply({ kind: 'swap', indexes: SWAPPED }, '')
      else problems.push(`nobody sent task ${task.uid}: ${JSON.stringify(task)}`)
      return problems
    }
    if (this.seen.has(label!)) problems.push(`${label} is there twice, the second time as task ${task.uid}`)
    this.seen.add(label!)
    this.expected.apply(operation, label!)
    return problems
  }

  private checkAcknowledged(): string[] {
    const lost = [...this.history.acknowledged].filter(([uid, label]) => uid >= this.next || !this.seen.has(label))
    return lost.map(([uid, label]) => `${label} was acknowledged as task ${uid} and is lost`)
  }

  private async checkIndex(index: string): Promise<string[]> {
    const problems: string[] = []
    const { servers, sort } = this
    const { documents, synonyms } = this.expected.byUid.get(index)!
    const found = await documentsOf<Document>(index, { servers, problems, sort })
    problems.push(...differences(index, documents, new Map(found.map((document) => [document.id, document]))))
    for (const server of servers) {
      const { body } = await server.request('GET', `/indexes/${index}/settings/synonyms`)
      if (!isDeepStrictEqual(body, synonyms))
        problems.push(`synonyms of ${index} on ${server.name}: ${JSON.stringify([body, synonyms])}`)
    }
    return problems
  }

  private async checkKeys(): Promise<string[]> {
    const problems: string[] = []
    const lists = await Promise.all(
      this.servers.map(async (server) => (await server.request('GET', '/keys?limit=100000')).body),
    )
    for (const [i, list] of lists.entries())
      if (!isDeepStrictEqual(list, lists[0]))
        problems.push(`keys differ on ${this.servers[0]!.name} and ${this.servers[i]!.name}`)
    const there = new Set<string>(lists[0].results.map(({ uid }: { uid: string }) => uid))
    for (const [uid, state] of this.history.keys) {
      if (state !== 'open' && there.has(uid) !== (state === 'there'))
        problems.push(`key ${uid} should be ${state} and is not`)
    }
    return problems
  }
}

function differences(
  index: string,
  expected: ReadonlyMap<string, Document>,
  found: ReadonlyMap<string, Document>,
): string[] {
  const ids = new Set([...expected.keys(), ...found.keys()])
  return [...ids]
    .filter((id) => !isDeepStrictEqual(expected.get(id), found.get(id)))
    .map((id) => `document ${id} of ${index}: ${shown(found.get(id))} where ${shown(expected.get(id))} was expected`)
}

const shown = (document: Document | undefined): string =>
  document === undefined ? 'nothing' : JSON.stringify(document).slice(0, 120)

/** A server that had to take a copy of another one's data has not done the same with the same log. */
function complaintsOf({ name, logPath, unexpectedEnds }: CheckedServer): string[] {
  const lines = readFileSync(logPath, 'utf8').split('\n')
  return [
    ...unexpectedEnds.map((how) => `${name} ended by itself: ${how}`),
    ...lines.filter((line) => COMPLAINT.test(line)).map((line) => `${name} says: ${line.slice(0, 600)}`),
  ]
}

const COMPLAINT = /cannot go on with the data|takes a copy of the data|internal error|nhandled|ncaught/
