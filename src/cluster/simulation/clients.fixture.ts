import type { Database } from '../../store/index.js'
import type { StatePlace } from '../records/record.js'
import type { Random } from './random.fixture.js'
import type { Incarnation, SimulatedServer } from './server.fixture.js'
import type { VirtualTime } from './virtual-time.fixture.js'

/** What clients asked for, and what they were told. */
export class History {
  /** By the name in the task. Undefined: nobody knows what became of it. */
  readonly tasks = new Map<string, number | undefined>()
  /** By the name of each change, whether it was acknowledged. */
  readonly changes: Record<StatePlace, Map<string, boolean>> = { system: new Map(), auth: new Map() }
  /** Requests that are not answered yet. */
  open = 0
}

const COUNTER = Buffer.from('counter')
export const readCounter = (database: Database): number => Number(database.get(COUNTER)?.toString() ?? 0)

export interface ClientParts {
  readonly time: VirtualTime
  readonly random: Random
  readonly history: History
  readonly servers: readonly SimulatedServer[]
  readonly trace: (line: string) => void
}

/** Asks any server that runs to do something, one request after the other. */
export class Client {
  private requests = 0

  constructor(
    private readonly name: string,
    private readonly parts: ClientParts,
  ) {}

  async run(until: number): Promise<void> {
    const { time, random, servers, history } = this.parts
    while (time.now < until) {
      await time.wait(random.chance(0.3) ? random.between(0, 3_000) : random.between(0, 200))
      const { running } = random.pick(servers)
      if (running === undefined || running.isClosing) continue
      history.open++
      await Promise.race([this.request(running), running.ended])
      history.open--
    }
  }

  private request(server: Incarnation): Promise<void> {
    const { random } = this.parts
    const name = `${this.name}.${++this.requests}`
    if (random.chance(0.7)) return this.enqueue(server, name)
    return this.count(server, random.chance(0.5) ? 'system' : 'auth', name)
  }

  private async enqueue({ member }: Incarnation, name: string): Promise<void> {
    const { history, trace } = this.parts
    history.tasks.set(name, undefined)
    const task = await member.register({ type: 'indexCreation', indexUid: name, primaryKey: null }, {})
    trace(`client: ${name} is ${task.ok ? `task ${task.value.uid}` : 'unknown'}`)
    if (task.ok) history.tasks.set(name, task.value.uid)
  }

  /** Adds one to a counter that all clients count with, and notes which number it was. */
  private async count({ member }: Incarnation, place: StatePlace, name: string): Promise<void> {
    const { history, trace } = this.parts
    const state = member.states[place]
    const database = state.database('counters')
    history.changes[place].set(name, false)
    try {
      const counted = await state.change('counters', ({ put }) => {
        const next = readCounter(database) + 1
        put(COUNTER, Buffer.from(String(next)))
        put(Buffer.from(`by ${name}`), Buffer.from(String(next)))
        return next
      })
      history.changes[place].set(name, true)
      trace(`client: ${name} counted to ${counted} in ${place}`)
    } catch (error) {
      trace(`client: ${name} is unknown: ${error instanceof Error ? error.message : error}`)
    }
  }
}
