import type { Failure, Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { type AnswerProblem, type RemoteContext, RemoteExchange } from './remote-exchange.js'

/** What the servers that were asked said. */
export interface RemoteOutcome<T> {
  /** In the order in which they were asked. */
  readonly answers: readonly T[]
  readonly errors: ReadonlyMap<string, Failure>
}

/** Requests that are under way. */
export interface PendingRemotes<T> {
  /** Never rejects because of a server that does not answer. */
  readonly answered: Promise<RemoteOutcome<T>>
  /** Nobody wants the answers any more. */
  giveUp(): void
}

/** What is asked. */
export interface RemoteQuestion<T> {
  /** Path of the route. */
  readonly path: string
  /** The body for each server, by its name. */
  readonly bodies: ReadonlyMap<string, Result<string>>
  read(name: string, answer: JsonValue): T | AnswerProblem
}

/** Asks several servers at once. Undefined when there is nobody to ask. */
export function askRemotes<T extends object>(
  { path, bodies, read }: RemoteQuestion<T>,
  context: RemoteContext,
): PendingRemotes<T> | undefined {
  if (bodies.size === 0) return undefined
  const controller = new AbortController()
  const deadline = performance.now() + context.remotes.timeoutMs
  const asked = Array.from(bodies, async ([name, body]): Promise<[string, Result<T>]> => {
    if (!body.ok) return [name, body]
    const remote = context.network!.remotes.get(name)!
    const job = { name, remote, path, body: body.value, deadline, signal: controller.signal, read }
    return [name, await new RemoteExchange(job, context).send()]
  })
  const answered = Promise.all(asked).then(sortOut)
  // Surprises are told to whoever waits; when a search failed here, nobody does.
  answered.catch(() => {})
  return { answered, giveUp: () => controller.abort() }
}

function sortOut<T>(asked: readonly (readonly [name: string, outcome: Result<T>])[]): RemoteOutcome<T> {
  const answers: T[] = []
  const errors = new Map<string, Failure>()
  for (const [name, outcome] of asked) {
    if (outcome.ok) answers.push(outcome.value)
    else errors.set(name, outcome.failure)
  }
  return { answers, errors }
}
