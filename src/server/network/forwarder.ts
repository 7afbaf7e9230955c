import { setTimeout as sleep } from 'node:timers/promises'
import { type RemoteAnswer, writeToRemote } from '../../backup/index.js'
import { errorBody, failure } from '../../errors/index.js'
import type { Outbound } from '../../outbound/index.js'
import { type NetworkStore, proxyHeaders } from '../../state/index.js'
import type { Forward, RemoteOutcome, TaskQueue } from '../../tasks/index.js'
import { forwardedWrite } from './forwarded-write.js'

export interface ForwarderOptions {
  readonly tasks: TaskQueue
  readonly network: NetworkStore
  readonly outbound: Pick<Outbound, 'request'>
  readonly log: { warn(facts: object, message: string): void }
  readonly errorsUrl: string
  /** Pauses after a failure, the first and the longest. */
  readonly pausesMs?: readonly [first: number, longest: number]
}

const PAUSES_MS = [100, 5000] as const

/**
 * Sends the tasks of the leader to the other servers: to each in the order of the tasks, one after the other, again and again
 * until it has accepted or refused it. What is to be sent is on disk since the task was registered, so that none is lost; a
 * server that is away gets all of them when it is back, and holds up nobody else.
 */
export class Forwarder {
  private readonly lanes = new Map<string, Lane>()
  private readonly stopping = new AbortController()
  private readonly waiting = new Set<() => void>()

  constructor(private readonly options: ForwarderOptions) {}

  /** Goes on with what was not sent before this start, and with what was registered since. */
  wake(): void {
    for (const name of this.options.tasks.store.forwards.waitingRemotes()) this.laneOf(name).wake()
  }

  /** Resolves when all servers have heard of a task, but for those that do not answer at present; or when the time is up. */
  async sent(uid: number, remotes: readonly string[], maxMs: number): Promise<void> {
    for (const name of remotes) this.laneOf(name).wake()
    const { forwards } = this.options.tasks.store
    const isSent = () => !forwards.isPending(uid) || remotes.every((name) => this.laneOf(name).isPast(uid))
    if (isSent()) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.waiting.delete(look)
        resolve()
      }
      const look = () => isSent() && end()
      const timer = setTimeout(end, maxMs)
      this.waiting.add(look)
    })
  }

  async close(): Promise<void> {
    this.stopping.abort()
    await Promise.all([...this.lanes.values()].map((lane) => lane.ended))
  }

  private laneOf(name: string): Lane {
    const known = this.lanes.get(name)
    if (known !== undefined) return known
    const onStep = () => {
      for (const look of this.waiting) look()
    }
    const lane = new Lane(name, { ...this.options, signal: this.stopping.signal, onStep })
    this.lanes.set(name, lane)
    return lane
  }
}

interface LaneOptions extends ForwarderOptions {
  readonly signal: AbortSignal
  readonly onStep: () => void
}

/** What is sent to one server. */
class Lane {
  /** All tasks below this uid have been sent. */
  private from = 0
  private isWanted = false
  private isRunning = false
  private isFailing = false
  ended: Promise<void> = Promise.resolve()

  constructor(
    private readonly name: string,
    private readonly options: LaneOptions,
  ) {}

  /** Nobody has to wait for this server on account of the task: it has heard of it, or does not answer. */
  isPast(uid: number): boolean {
    return this.from > uid || this.isFailing
  }

  wake(): void {
    this.isWanted = true
    if (this.isRunning || this.options.signal.aborted) return
    this.isRunning = true
    this.ended = this.run()
  }

  /** Falling asleep and looking a last time happen in one turn, so that no call is missed. */
  private async run(): Promise<void> {
    while (this.isWanted && !this.options.signal.aborted) {
      this.isWanted = false
      await this.sendAll().catch((error) => {
        this.options.log.warn({ error, remote: this.name }, 'tasks could not be sent to another server')
      })
    }
    this.isRunning = false
  }

  private async sendAll(): Promise<void> {
    const { tasks, signal, pausesMs = PAUSES_MS } = this.options
    let pauseMs: number = pausesMs[0]
    while (!signal.aborted) {
      const forward = tasks.store.forwards.next(this.name, this.from)
      if (forward === undefined) return
      const answer = await this.send(forward)
      if (signal.aborted) return
      const isFinal = answer.ok || !answer.isPassing
      await tasks.settleForward(forward, this.name, { outcome: this.outcomeOf(answer), isFinal })
      if (isFinal) this.from = forward.uid + 1
      this.isFailing = !isFinal
      this.options.onStep()
      if (isFinal) pauseMs = pausesMs[0]
      else {
        // Whoever stops does not wait for it.
        await sleep(pauseMs, undefined, { signal }).catch(() => {})
        pauseMs = Math.min(pauseMs * 2, pausesMs[1])
      }
    }
  }

  /** A server that was removed still hears of what was registered before, by the address it had. */
  private async send(forward: Forward): Promise<RemoteAnswer> {
    const { network, tasks, outbound, signal } = this.options
    const { current, inForce } = network
    const remote = current.remotes.get(this.name) ?? inForce?.remotes.get(this.name) ?? GONE
    const payload = tasks.forwardedPayload(forward)
    if (payload === 'gone') return lost()
    const write = forwardedWrite(forward, payload, this.name)
    const { uid: taskUid, networkVersion } = forward
    const headers = proxyHeaders({ remoteName: current.self ?? '', taskUid, networkVersion })
    const target = { name: this.name, remote }
    return writeToRemote(target, { ...write, headers: [...write.headers, ...headers] }, { outbound, signal })
  }

  private outcomeOf(answer: RemoteAnswer): RemoteOutcome {
    if (!answer.ok) return { error: errorBody(answer.failure, this.options.errorsUrl) }
    return { ...(answer.taskUid !== undefined && { taskUid: answer.taskUid }), error: null }
  }
}

/** A snapshot has no payloads of tasks that were finished here. */
const lost = (): RemoteAnswer => ({
  ok: false,
  failure: failure('internal', 'the documents of the task are gone'),
  isPassing: false,
  code: undefined,
})

const GONE = { url: '', searchApiKey: null, writeApiKey: null }
