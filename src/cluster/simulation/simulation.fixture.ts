import { findProblems } from './checks.fixture.js'
import { Client, History } from './clients.fixture.js'
import { chooseFaults, NO_FAULTS } from './faults.fixture.js'
import { Nemesis } from './nemesis.fixture.js'
import { Random } from './random.fixture.js'
import { SimulatedServer, type World } from './server.fixture.js'
import { SimulatedStream } from './stream.fake.js'
import { VirtualTime } from './virtual-time.fixture.js'
import { Witness } from './witness.fixture.js'

const NAMES = ['a', 'b', 'c']
const LOOK_EVERY_MS = 250
/** Long enough for every timeout of a member. */
const REST_MS = 180_000

export interface RunOptions {
  /** Gets every event as a line. */
  readonly trace?: (line: string) => void
}

export interface RunResult {
  readonly seed: number
  /** Sentences about what must not be. Empty when all is well. */
  readonly problems: readonly string[]
  readonly entries: number
  readonly virtualMs: number
}

/**
 * Three servers, the log, clients, and everything that goes wrong, in one thread. All of it follows from the seed. First things
 * go wrong for some seconds; then nothing does, all servers run, and when they have come to rest their data are compared.
 */
export async function simulate(seed: number, { trace = () => {} }: RunOptions = {}): Promise<RunResult> {
  const time = new VirtualTime()
  const random = new Random(seed)
  const faults = chooseFaults(random)
  const problems: string[] = []
  const line = (text: string): void => trace(`${time.now.toFixed(2).padStart(10)} ${text}`)
  line(`faults: ${JSON.stringify(faults)}`)
  const stream = new SimulatedStream({ time, random, faults, trace: line })
  const servers: SimulatedServer[] = []
  const violation = (what: string): void => {
    line(`PROBLEM: ${what}`)
    if (!problems.includes(what)) problems.push(what)
  }
  const witness = new Witness(servers, violation, line)
  const isListening = (name: string): boolean =>
    servers.some((server) => server.name === name && server.running?.isClosing === false)
  const world: World = { time, random, faults, stream, trace: line, isListening, violation, witness }
  for (const name of NAMES) servers.push(new SimulatedServer(name, world))
  for (const server of servers) server.start()

  const look = (): void => {
    witness.look()
    time.after(LOOK_EVERY_MS, look)
  }
  look()
  const history = new History()
  const stormMs = random.between(3_000, 20_000)
  const nemesis = new Nemesis({ ...world, servers, stormMs })
  nemesis.begin()
  for (let i = 0; i < random.whole(1, 4); i++)
    void new Client(`${i}`, { time, random, history, servers, trace: line }).run(stormMs)
  await time.run(() => time.now >= stormMs)

  Object.assign(faults, { ...NO_FAULTS, rememberedMs: faults.rememberedMs })
  nemesis.end()
  line('from here on nothing goes wrong')
  let lookAt = time.now
  let quiet = 0
  const isResting = (): boolean => {
    if (time.now > stormMs + REST_MS) return true
    if (time.now < lookAt) return false
    lookAt = time.now + LOOK_EVERY_MS
    for (const server of servers) server.start()
    quiet = history.open === 0 && servers.every((server) => isQuiet(server, stream)) ? quiet + 1 : 0
    return quiet > 4
  }
  await time.run(isResting)
  if (time.now > stormMs + REST_MS)
    violation(`nothing comes to rest: ${servers.map((server) => stateOf(server)).join('; ')}`)
  for (const problem of findProblems(servers, history, stream)) violation(problem)
  witness.checkNotified(stream)
  for (const { running } of servers) running?.process.kill()
  return { seed, problems, entries: stream.entries.length, virtualMs: time.now }
}

function isQuiet({ running }: SimulatedServer, stream: SimulatedStream): boolean {
  if (running === undefined || !running.member.isReady || running.queue.unconfirmed.size > 0) return false
  const { ledger, queue } = running
  return (
    ledger.link.sequence === stream.entries.length &&
    ledger.firstPending() === undefined &&
    queue.waiting().length === 0
  )
}

function stateOf({ name, running }: SimulatedServer): string {
  if (running === undefined) return `${name} is down`
  const { ledger, member, queue } = running
  return `${name} ready ${member.isReady} at ${ledger.link.sequence} pending ${ledger.firstPending()?.sequence} unconfirmed ${[...queue.unconfirmed]}`
}
