import { setMaxListeners } from 'node:events'
import { ok, type Result } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'
import type { EmbedInput, Source } from './embedder.js'
import { type Exchanged, Provider, type Reading, type Target } from './exchange.js'
import { because, givenUp, refuse } from './failures.js'
import { type Patience, patienceForDocuments, patienceForQuery } from './patience.js'
import type { EmbedServices } from './services.js'

/** How a provider is spoken to. */
export interface Dialect {
  readonly target: Target
  readonly takesMany: boolean
  /** The body of a request for these inputs: one of them unless the provider takes many. */
  body(inputs: readonly JsonValue[]): JsonValue
  read(answer: unknown): Reading<Float32Array[]>
  /**
   * The body for one input of a request that was refused with status 400, where there is a better way to send it;
   * it is answered with one vector.
   */
  bodyAlone?(input: JsonValue): Promise<JsonValue>
  /** Trusted without a call; undefined: to be found out. */
  readonly dimensions: number | undefined
}

const INPUTS_PER_REQUEST = 10
const PARALLEL_REQUESTS = 40

/** A source that asks a provider. Finds out how many dimensions its vectors have, if nobody said. */
export async function openRemote(services: EmbedServices, dialect: Dialect): Promise<Result<Source>> {
  const { dimensions } = dialect
  if (dimensions !== undefined) return ok(new RemoteSource(services, dialect, dimensions))
  const probe = new RemoteSource(services, dialect, undefined)
  const embedded = await probe.embedTest()
  if (!embedded.ok) return because('The number of dimensions could not be found out', embedded.failure)
  return ok(new RemoteSource(services, dialect, embedded.value.length))
}

class RemoteSource implements Source {
  private readonly provider: Provider

  constructor(
    private readonly services: EmbedServices,
    private readonly dialect: Dialect,
    private readonly knownDimensions: number | undefined,
  ) {
    this.provider = new Provider(services, dialect.target)
  }

  get dimensions(): number {
    return this.knownDimensions ?? 0
  }

  embedTest(): Promise<Result<Float32Array>> {
    return this.embedOne('test', patienceForDocuments(this.services, new AbortController().signal))
  }

  async embedDocuments(inputs: readonly EmbedInput[], signal: AbortSignal): Promise<Result<Float32Array[]>> {
    const requests = this.cut(inputs.map(injected))
    const failed = new AbortController()
    const end = AbortSignal.any([signal, failed.signal])
    // Every request listens, and its pauses do: more listeners are no leak here.
    setMaxListeners(0, end)
    const patience = patienceForDocuments(this.services, end)
    const embedded = await inParallel(requests, PARALLEL_REQUESTS, async (request) => {
      const vectors = this.orNothing(await this.embed(request, patience), request.length, signal)
      if (!vectors.ok) failed.abort()
      return vectors
    })
    if (signal.aborted) return givenUp()
    return embedded.ok ? ok(embedded.value.flat()) : embedded
  }

  embedQuery(input: EmbedInput, deadline: number): Promise<Result<Float32Array>> {
    return this.embedOne(injected(input), patienceForQuery(this.services, deadline))
  }

  private async embedOne(input: JsonValue, patience: Patience): Promise<Result<Float32Array>> {
    const embedded = await this.embed([input], patience)
    return embedded.ok ? ok(embedded.value[0]!) : embedded
  }

  private cut(inputs: readonly JsonValue[]): JsonValue[][] {
    const size = this.dialect.takesMany ? INPUTS_PER_REQUEST : 1
    return Array.from({ length: Math.ceil(inputs.length / size) }, (_, i) => inputs.slice(i * size, (i + 1) * size))
  }

  private async embed(inputs: readonly JsonValue[], patience: Patience): Promise<Result<Float32Array[]>> {
    const { dialect } = this
    const read = (answer: unknown) => this.checked(dialect.read(answer), inputs.length)
    const answered = await this.provider.ask({ body: dialect.body(inputs), read }, patience)
    const isRefused = !answered.ok && answered.status === 400
    return isRefused && dialect.bodyAlone ? this.embedAlone(inputs, patience) : asResult(answered)
  }

  /** The second try for a request that was refused as a whole. What fails now is final (spec 7 §1.4). */
  private async embedAlone(inputs: readonly JsonValue[], patience: Patience): Promise<Result<Float32Array[]>> {
    const { dialect } = this
    const read = (answer: unknown) => this.checked(dialect.read(answer), 1)
    const vectors: Float32Array[] = []
    for (const input of inputs) {
      const body = await dialect.bodyAlone!(input)
      const answered = asResult(await this.provider.ask({ body, read }, patience))
      if (!answered.ok) return answered
      vectors.push(...answered.value)
    }
    return ok(vectors)
  }

  private checked(reading: Reading<Float32Array[]>, count: number): Reading<Float32Array[]> {
    if (!reading.ok) return reading
    const vectors = reading.value
    if (vectors.length !== count) {
      return { ok: false, reason: `${count} vectors were expected from the provider, ${vectors.length} came` }
    }
    const dimensions = this.knownDimensions ?? vectors[0]!.length
    const wrong = vectors.find(({ length }) => length !== dimensions)
    if (wrong === undefined) return reading
    return {
      ok: false,
      reason: `vectors of ${dimensions} dimensions were expected from the provider, one of ${wrong.length} came`,
    }
  }

  /** Where failures are ignored, documents without a vector are the outcome of one. */
  private orNothing(outcome: Result<Float32Array[]>, count: number, signal: AbortSignal): Result<Float32Array[]> {
    const isIgnored = !outcome.ok && this.services.ignoresEmbedderFailures && !signal.aborted
    return isIgnored ? ok(Array.from({ length: count }, () => new Float32Array(0))) : outcome
  }
}

/** What stands at the placeholder. */
function injected({ text = '', fragment }: EmbedInput): JsonValue {
  return fragment === undefined ? text : fragment
}

function asResult<T>(answered: Exchanged<T>): Result<T> {
  return answered.ok ? answered : refuse(answered.reason)
}

/** Runs the work on all items, so many at once, and starts nothing new after the first failure, which is returned. */
async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<Result<R>>,
): Promise<Result<R[]>> {
  const values: R[] = new Array(items.length)
  let failed: Result<never> | undefined
  let next = 0
  const run = async () => {
    while (next < items.length && failed === undefined) {
      const i = next++
      const result = await work(items[i]!)
      if (result.ok) values[i] = result.value
      else failed ??= result
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run))
  return failed ?? ok(values)
}
