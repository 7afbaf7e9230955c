import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { seededRandom } from '../random.js'
import { TestServer } from '../server.js'
import { type Document, fillerOf, Ledger, type SeenTask } from './ledger.js'
import { writeUntilKilled } from './writers.js'

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly onRound?: (round: number, tasks: number) => void
}

const WRITERS = 6
const SETTLE_LIMIT_MS = 60_000
const PROMISE_LIMIT_MS = 5_000

/**
 * Kills the server again and again while it is written to, and checks after each start that every promise was kept:
 * answered tasks are there and end, uids have no gaps, documents are exactly what the tasks, in order, make of them.
 * Throws with what is wrong; answers the number of tasks.
 */
export async function runKillRounds({ kills, seed, onRound }: KillOptions): Promise<number> {
  const random = seededRandom(seed)
  const ledger = new Ledger()
  const server = await TestServer.start()
  try {
    let tasks: SeenTask[] = []
    for (let round = 1; round <= kills; round++) {
      const writers = Array.from({ length: WRITERS }, () => writeUntilKilled(server, ledger, random))
      // Half of the kills come early, often before anything was promised; a slow machine must not make that all of them.
      if (random() < 0.5) await firstPromise(ledger)
      await delay(random() * 150)
      await server.stop('SIGKILL')
      await Promise.all(writers)
      await server.restart()
      tasks = await settledTasks(server)
      checkTasks(tasks, ledger)
      await checkDocuments(server, ledger.expectedDocuments(tasks))
      onRound?.(round, tasks.length)
    }
    return tasks.length
  } finally {
    await server.close()
  }
}

/** Waits for the next promise, or a while. */
async function firstPromise({ promised }: Ledger): Promise<void> {
  const before = promised.size
  const deadline = Date.now() + PROMISE_LIMIT_MS
  while (promised.size === before && Date.now() < deadline) await delay(1)
}

async function settledTasks(server: TestServer): Promise<SeenTask[]> {
  const deadline = Date.now() + SETTLE_LIMIT_MS
  for (;;) {
    const waiting = await server.request<{ total: number }>('GET', '/tasks?statuses=enqueued,processing&limit=0')
    if (waiting.body.total === 0) break
    if (Date.now() > deadline) throw new Error(`${waiting.body.total} tasks are still waiting`)
    await delay(10)
  }
  const { body } = await server.request<{ results: SeenTask[] }>('GET', '/tasks?limit=1000000&reverse=true')
  return body.results
}

function checkTasks(tasks: readonly SeenTask[], ledger: Ledger): void {
  for (const [position, task] of tasks.entries()) {
    if (task.uid !== position)
      throw new Error(`task ${task.uid} stands at position ${position}: uids have a gap or a double`)
    if (task.status !== 'succeeded' && !isExpectedFailure(task))
      throw new Error(`task ${task.uid} is ${task.status}: ${JSON.stringify(task)}`)
  }
  for (const [uid, operation] of ledger.promised) {
    if (tasks[uid]?.customMetadata !== operation)
      throw new Error(`task ${uid} was promised for operation ${operation} and is lost`)
  }
}

/** Deletions that run before the first addition find no index. */
const isExpectedFailure = (task: SeenTask): boolean => task.type === 'documentDeletion' && task.status === 'failed'

async function checkDocuments(server: TestServer, expected: ReadonlyMap<string, Document>): Promise<void> {
  const { body, status } = await server.request<{ results?: Document[] }>('GET', '/indexes/shop/documents?limit=100000')
  const found = new Map((status === 404 ? [] : body.results!).map((document) => [document.id, document]))
  if (found.size !== expected.size) throw new Error(`${found.size} documents are there, ${expected.size} were expected`)
  for (const [id, document] of expected) {
    if (!isDeepStrictEqual(found.get(id), document)) {
      throw new Error(`document ${id} is ${JSON.stringify(found.get(id))}, expected ${JSON.stringify(document)}`)
    }
    if (document.written !== undefined && document.filler !== fillerOf(document.written))
      throw new Error(`document ${id} is torn`)
  }
}
