import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { seededRandom } from '../../test/random.js'
import { TestServer } from '../../test/server.js'
import { deadlineOf, failWith, type Part } from './part.js'

/**
 * Loaded into the server before anything else: the wall clock is off by the seconds that a file says. As in a real jump,
 * the steady clock goes on, and what a process took as its origin stays until the next start.
 */
const shiftedClock = (file: string): string => `
import { readFileSync } from 'node:fs'
const RealDate = Date
let shift = 0
let looked = 0
const shiftMs = () => {
  const now = RealDate.now()
  if (now - looked > 10) {
    looked = now
    try { shift = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) * 1000 } catch {}
  }
  return shift
}
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs())
    else super(...given)
  }
  static now() { return RealDate.now() + shiftMs() }
}
const origin = performance.timeOrigin + shiftMs()
Object.defineProperty(performance, 'timeOrigin', { value: origin })
`

const HOUR = 3600
const SHIFTS = [0, -1, 1, -2 * HOUR, 2 * HOUR, -400 * 24 * HOUR, 400 * 24 * HOUR, -10 * 365 * 24 * HOUR]

interface SeenTask {
  readonly uid: number
  readonly status: string
  readonly batchUid: number
  readonly duration: string
  readonly enqueuedAt: string
}

/** Jumps of the clock, while the server runs and between two runs: the order of tasks is the order of their uids. */
export const clockJumps: Part = async (options) => {
  const random = seededRandom(options.seed)
  const deadline = deadlineOf(options)
  const server = await TestServer.start()
  const file = join(server.folder, 'shift')
  const script = join(server.folder, 'shifted-clock.mjs')
  writeFileSync(script, shiftedClock(file))
  writeFileSync(file, '0')
  try {
    await server.restart({ env: { NODE_OPTIONS: `--import ${pathToFileURL(script).href}` } })
    let jumps = 0
    let sent = 0
    do {
      writeFileSync(file, String(SHIFTS[Math.floor(random() * SHIFTS.length)]))
      jumps++
      sent = await write(server, sent)
      // Some tasks wait while the server is killed, and are done by another clock.
      if (random() < 0.5) await server.restart()
      await check(server, sent)
      options.progress(`${jumps} jumps, ${sent} tasks`)
    } while (performance.now() < deadline || jumps < MIN_JUMPS)
    return `${jumps} jumps of the clock, ${sent} tasks in order`
  } finally {
    await server.close()
  }
}

const ROUND = 5
const MIN_JUMPS = 4

/** Each task overwrites the document with its own uid. */
async function write(server: TestServer, from: number): Promise<number> {
  for (let number = from; number < from + ROUND; number++) {
    const answer = await server.request<{ taskUid: number }>('POST', '/indexes/a/documents', [{ id: 1, number }])
    if (answer.body.taskUid !== number) throw new Error(`task ${number} was expected: ${answer.text}`)
  }
  return from + ROUND
}

async function check(server: TestServer, sent: number): Promise<void> {
  await server.waitTask(sent - 1)
  const { body } = await server.request<{ results: SeenTask[] }>('GET', '/tasks?limit=100000&reverse=true')
  const tasks = body.results
  const stored = await server.request<{ number: number }>('GET', '/indexes/a/documents/1')
  // A date in the midst of those that were seen.
  const date = tasks.map(({ enqueuedAt }) => enqueuedAt).sort()[tasks.length >> 1]!
  const later = await server.request<{ total: number }>('GET', `/tasks?afterEnqueuedAt=${encodeURIComponent(date)}`)
  const expectedLater = tasks.filter(({ enqueuedAt }) => instantOf(enqueuedAt) > instantOf(date)).length
  failWith([
    ...(tasks.length === sent ? [] : [`${tasks.length} tasks are there, ${sent} were sent`]),
    ...tasks.flatMap((task, i) => problemsOf(task, i, tasks[i - 1])),
    ...(stored.body.number === sent - 1 ? [] : [`the last write is ${sent - 1}, but stored is ${stored.text}`]),
    ...(later.body.total === expectedLater
      ? []
      : [`${expectedLater} tasks are after ${date}, found ${later.body.total}`]),
  ])
}

function problemsOf(task: SeenTask, position: number, before: SeenTask | undefined): string[] {
  const isInOrder = before === undefined || task.batchUid >= before.batchUid
  const isRight = task.uid === position && task.status === 'succeeded' && isInOrder && !task.duration.includes('-')
  return isRight ? [] : [`task ${position} is ${JSON.stringify(task)}`]
}

/** Texts of fractions have as many digits as needed, so they do not sort as texts. */
const instantOf = (text: string): string =>
  text.replace(/(?:\.(\d+))?Z$/, (_, digits = '') => `.${digits.padEnd(9, '0')}`)
