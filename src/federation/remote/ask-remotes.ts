import { sortedUnique } from '../../byte-order/index.js'
import { type Failure, failure, type Result, statusOf } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { UnknownShardMap } from '../../sharding/index.js'
import { chooseOwners, ownersOf } from '../shards/shard-owners.js'
import { type AnswerProblem, MAX_ATTEMPTS, type RemoteContext, RemoteExchange } from './remote-exchange.js'

/** What the servers that were asked said. */
export interface RemoteOutcome<T> {
  /** Those of servers that were asked at first in the order of their names. */
  readonly answers: readonly T[]
  /** Of servers whose part is missing. */
  readonly errors: ReadonlyMap<string, Failure>
  /** Servers that may be better off without the next search: they were not there, or had a problem of their own. */
  readonly failed: readonly string[]
}

/** Where there was nothing to ask. */
export const NOBODY_ASKED: RemoteOutcome<never> = { answers: [], errors: new Map(), failed: [] }

/** Requests that are under way. */
export interface PendingRemotes<T> {
  /** Never rejects because of a server that does not answer. */
  readonly answered: Promise<RemoteOutcome<T>>
  /** Nobody wants the answers any more. */
  giveUp(): void
}

/** What is asked, and of whom. */
export interface RemoteQuestion<T> {
  /** Path of the route. */
  readonly path: string
  /** Servers that no other one can answer for. */
  readonly named: readonly string[]
  /** Shards that any of their owners can answer for. */
  readonly shards: readonly string[]
  bodyFor(part: QuestionPart): Result<string>
  read(name: string, answer: JsonValue): T | AnswerProblem
}

/** What one server is asked. */
export interface QuestionPart {
  readonly server: string
  /** What only this server can answer. */
  readonly isNamed: boolean
  /** And for these, unless there are none. */
  readonly shards: readonly string[]
}

/** Asks several servers at once. Undefined when there is nothing to ask. */
export function askRemotes<T extends object>(
  question: RemoteQuestion<T>,
  context: RemoteContext,
): PendingRemotes<T> | undefined {
  if (question.named.length === 0 && question.shards.length === 0) return undefined
  const controller = new AbortController()
  const answered = new Asking(question, context, controller.signal).run()
  // Surprises are told to whoever waits; when a search failed here, nobody does.
  answered.catch(() => controller.abort())
  return { answered, giveUp: () => controller.abort() }
}

/** A server that could stand in is asked sooner than this one for the third time. */
const ATTEMPTS_BEFORE_OTHERS = 2

/** Answers for some shards. */
interface Covered<T> {
  readonly answers: readonly T[]
  /** Shards that nobody answered for. */
  readonly lost: readonly string[]
}

/** A request that is under way. */
interface Sent<T> {
  readonly outcome: Promise<Result<T>>
  giveUp(): void
}

/** Asks until there is an answer for each shard, or nobody is left who could give it (spec 8 §3.7). */
class Asking<T extends object> {
  private readonly deadline: number
  /** All that went wrong, by server. */
  private readonly failures = new Map<string, Failure>()

  constructor(
    private readonly question: RemoteQuestion<T>,
    private readonly context: RemoteContext,
    private readonly signal: AbortSignal,
  ) {
    this.deadline = performance.now() + context.remotes.timeoutMs
  }

  async run(): Promise<RemoteOutcome<T>> {
    const { named, shards } = this.question
    const { byServer, lost } = this.choose(shards, new Set())
    const servers = sortedUnique([...named, ...byServer.keys()])
    const covered = await Promise.all(
      servers.map((server) => {
        const part = { server, isNamed: named.includes(server), shards: byServer.get(server) ?? [] }
        return this.ask(part, new Set([server]), this.signal)
      }),
    )
    const all = joined([...covered, { answers: [], lost }])
    this.throwIfOutdated(all.lost)
    return { answers: all.answers, errors: this.errorsOf(all.lost), failed: this.failed() }
  }

  /** Servers have changed over to other shards since the search was planned, and nobody has the ones it asks for. */
  private throwIfOutdated(lost: readonly string[]): void {
    const { network, canPlanAgain } = this.context
    const isOutdated = [...this.failures.values()].some(({ code }) => code === 'shard_map_outdated')
    if (canPlanAgain && lost.length > 0 && isOutdated) throw new UnknownShardMap(network!.version!)
  }

  /** The answers to one part, from the server that it is meant for or from others. */
  private async ask(part: QuestionPart, tried: ReadonlySet<string>, signal: AbortSignal): Promise<Covered<T>> {
    const first = this.send(part, tried, signal)
    const early = await this.untilLate(first, part, tried)
    if (early === 'late') return this.race(first, part, tried, signal)
    return early.ok ? { answers: [early.value], lost: [] } : this.cover(part.shards, tried, signal)
  }

  /** Answers for shards from servers that were not asked for them before. */
  private async cover(shards: readonly string[], tried: ReadonlySet<string>, signal: AbortSignal): Promise<Covered<T>> {
    const { byServer, lost } = this.choose(shards, tried)
    const covered = await Promise.all(
      Array.from(byServer, ([server, chosen]) =>
        this.ask({ server, isNamed: false, shards: chosen }, new Set([...tried, server]), signal),
      ),
    )
    return joined([...covered, { answers: [], lost }])
  }

  /** The first one is late: others are asked too, and whoever has answered for all shards is heard. */
  private async race(
    first: Sent<T>,
    { shards }: QuestionPart,
    tried: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Covered<T>> {
    const controller = new AbortController()
    const own = first.outcome.then((outcome) => (outcome.ok ? { answers: [outcome.value], lost: [] } : undefined))
    const others = this.cover(shards, tried, AbortSignal.any([signal, controller.signal]))
    const whole = others.then((covered) => (covered.lost.length === 0 ? covered : undefined))
    const winner = (await Promise.race([own, whole])) ?? (await own) ?? (await others)
    first.giveUp()
    controller.abort()
    return winner
  }

  private send(part: QuestionPart, tried: ReadonlySet<string>, signal: AbortSignal): Sent<T> {
    const { question, context } = this
    const { server } = part
    const body = question.bodyFor(part)
    const controller = new AbortController()
    const giveUp = () => controller.abort()
    if (!body.ok) {
      this.failures.set(server, body.failure)
      return { outcome: Promise.resolve(body), giveUp }
    }
    const ended = AbortSignal.any([signal, controller.signal])
    const job = {
      name: server,
      remote: context.network!.remotes.get(server)!,
      path: question.path,
      body: body.value,
      isForShards: part.shards.length > 0,
      deadline: this.deadline,
      maxAttempts: this.canReplace(part, tried) ? ATTEMPTS_BEFORE_OTHERS : MAX_ATTEMPTS,
      signal: ended,
      read: question.read,
    }
    const outcome = new RemoteExchange(job, context).send()
    return { outcome: this.noted(server, outcome, { isGivenUp: () => controller.signal.aborted, ended }), giveUp }
  }

  /** Whoever was given up because others were faster, or because nobody waits, has not failed. */
  private async noted(
    server: string,
    sent: Promise<Result<T>>,
    { isGivenUp, ended }: { isGivenUp(): boolean; readonly ended: AbortSignal },
  ): Promise<Result<T>> {
    const { patience } = this.context.remotes
    const start = performance.now()
    const outcome = await sent
    const elapsedMs = performance.now() - start
    if (outcome.ok) patience.answered(server, elapsedMs)
    else if (isGivenUp()) patience.gaveUp(server, elapsedMs)
    else if (!ended.aborted) this.failures.set(server, outcome.failure)
    return outcome
  }

  /** The outcome, unless it takes longer than it should and others could answer instead. */
  private async untilLate(
    { outcome }: Sent<T>,
    part: QuestionPart,
    tried: ReadonlySet<string>,
  ): Promise<Result<T> | 'late'> {
    if (!this.canReplace(part, tried)) return outcome
    const { patience } = this.context.remotes
    const usualMs = patience.usualMs(part.server)
    const early = await within(usualMs, outcome)
    if (early !== 'late' || patience.mayAskTwice()) return early
    return within(patience.longestMs(part.server) - usualMs, outcome)
  }

  /** Whether others can answer for all that this server is asked. */
  private canReplace({ isNamed, shards }: QuestionPart, tried: ReadonlySet<string>): boolean {
    return !isNamed && shards.length > 0 && this.choose(shards, tried).lost.length === 0
  }

  private choose(shards: readonly string[], tried: ReadonlySet<string>) {
    const { network, remotes } = this.context
    const isSlow = (server: string) => remotes.patience.isSlow(server)
    return chooseOwners(shards, network!, { tried, isSlow })
  }

  /** Of the servers that only could answer for themselves, and of all that a lost shard could have been had from. */
  private errorsOf(lost: readonly string[]): Map<string, Failure> {
    const network = this.context.network!
    const owners = lost.flatMap((shard) => ownersOf(shard, network))
    const errors = new Map<string, Failure>()
    for (const name of sortedUnique([...this.question.named, ...owners])) {
      const failed = this.failures.get(name) ?? (network.away.includes(name) ? unasked(name) : undefined)
      if (failed !== undefined) errors.set(name, failed)
    }
    return errors
  }

  private failed(): string[] {
    return [...this.failures].flatMap(([name, { code }]) => (statusOf(code) >= 500 ? [name] : []))
  }
}

const unasked = (name: string): Failure =>
  failure('remote_could_not_send_request', `Remote \`${name}\`: it is marked as unavailable, and was not asked.`)

function joined<T>(parts: readonly Covered<T>[]): Covered<T> {
  return { answers: parts.flatMap(({ answers }) => answers), lost: parts.flatMap(({ lost }) => lost) }
}

/** What comes in time, or `late`. */
async function within<T>(timeMs: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, timeMs, 'late')
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
