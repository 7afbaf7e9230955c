import { failureSaying, ok, type Result } from '../errors/index.js'
import { systemTimer } from '../outbound/index.js'
import { openComposite } from './composite.js'
import { type ConfigOf, type EmbedderConfig, type ModelConfig, printConfig } from './config.js'
import type { Embedder, EmbedInput, Source } from './embedder.js'
import { because, refuse } from './failures.js'
import { openHuggingFace } from './hugging-face.js'
import { openOllama } from './ollama.js'
import { openOpenAi } from './open-ai.js'
import { systemNow } from './patience.js'
import { withCache } from './query-cache.js'
import { openRest, usesFragments } from './rest.js'
import { withSearchFragments } from './search-fragments.js'
import type { EmbedServices } from './services.js'
import { UserProvidedSource } from './user-provided.js'

/** More configurations than any process uses at a time; those that were not used for long are opened again. */
const MAX_OPEN = 1_024

/** The embedders of the process. Identical configurations share one, and with it its cache (spec 7 §1.1). */
export class Embedders {
  /** By the text of the configuration; the one that was used last stands at the end. */
  private readonly sources = new Map<string, Promise<Result<Source>>>()

  constructor(private readonly services: EmbedServices) {}

  /**
   * The embedder with this configuration. The first use may ask a provider or load a model, and takes as long as that
   * with all its retries; a caller with a deadline (on the clock of `performance.now()`) stops waiting then, while the
   * opening goes on for the next one. A failure is not remembered: the next call tries again.
   */
  async open(name: string, config: EmbedderConfig, deadline?: number): Promise<Result<Embedder>> {
    const opening = this.source(config)
    const source = await (deadline === undefined ? opening : this.inTime(opening, deadline))
    return source.ok ? ok(new NamedEmbedder(name, source.value, config)) : named(name, source)
  }

  private inTime(opening: Promise<Result<Source>>, deadline: number): Promise<Result<Source>> {
    const { startTimer = systemTimer, now = systemNow } = this.services
    return new Promise((resolve, reject) => {
      const onTime = () => resolve(refuse('the embedder was not ready in time'))
      const cancel = startTimer(Math.max(0, deadline - now()), onTime)
      opening.then(resolve, reject).finally(cancel)
    })
  }

  private source(config: EmbedderConfig): Promise<Result<Source>> {
    const key = printConfig(config)
    const known = this.sources.get(key)
    const source = known ?? this.openSource(config)
    this.sources.delete(key)
    this.sources.set(key, source)
    if (known === undefined) this.forgetFailure(key, source)
    if (this.sources.size > MAX_OPEN) this.sources.delete(this.sources.keys().next().value!)
    return source
  }

  private forgetFailure(key: string, source: Promise<Result<Source>>): void {
    const forget = () => {
      if (this.sources.get(key) === source) this.sources.delete(key)
    }
    source.then(({ ok }) => ok || forget(), forget)
  }

  private async openSource(config: EmbedderConfig): Promise<Result<Source>> {
    if (config.source === 'userProvided') return ok(new UserProvidedSource(config.dimensions))
    if (config.source === 'composite') return this.openChildren(config)
    const source = await this.openModel(config)
    const fragments = config.source === 'rest' ? config.searchFragments : undefined
    return source.ok && fragments?.size ? withSearchFragments(source.value, fragments) : source
  }

  private async openChildren({ searchEmbedder, indexingEmbedder }: ConfigOf<'composite'>): Promise<Result<Source>> {
    const search = await this.openModel(searchEmbedder)
    if (!search.ok) return because('`searchEmbedder`', search.failure)
    const indexing = await this.openModel(indexingEmbedder)
    if (!indexing.ok) return because('`indexingEmbedder`', indexing.failure)
    const canProbe = !usesFragments(searchEmbedder) && !usesFragments(indexingEmbedder)
    return openComposite({ search: search.value, indexing: indexing.value, canProbe })
  }

  private async openModel(config: ModelConfig): Promise<Result<Source>> {
    const source = await openBare(this.services, config)
    return source.ok ? ok(withCache(source.value, this.services.cacheEntries)) : source
  }
}

function openBare(services: EmbedServices, config: ModelConfig): Promise<Result<Source>> {
  switch (config.source) {
    case 'openAi':
      return openOpenAi(services, config)
    case 'ollama':
      return openOllama(services, config)
    case 'rest':
      return openRest(services, config)
    case 'huggingFace':
      return openHuggingFace(services, config)
  }
}

/** A source under the name that the settings of one index give it, which opens its failures. */
class NamedEmbedder implements Embedder {
  constructor(
    readonly name: string,
    private readonly source: Source,
    private readonly config: EmbedderConfig,
  ) {}

  get dimensions(): number {
    return this.source.dimensions
  }

  async embedDocuments(inputs: readonly EmbedInput[], signal: AbortSignal): Promise<Result<Float32Array[]>> {
    return named(this.name, await this.source.embedDocuments(inputs, signal))
  }

  async embedQuery(input: EmbedInput, deadline: number): Promise<Result<Float32Array>> {
    if (input.media !== undefined && !takesMedia(this.config)) return named(this.name, mediaRefused(this.config))
    return named(this.name, await this.source.embedQuery(input, deadline))
  }
}

function takesMedia(config: EmbedderConfig): boolean {
  return config.source === 'rest' && (config.searchFragments?.size ?? 0) > 0
}

function mediaRefused({ source }: EmbedderConfig): Result<never> {
  const missing = source === 'rest' ? 'this embedder has none' : `the source of this embedder is \`${source}\``
  return refuse(`\`media\` needs an embedder of the source \`rest\` with \`searchFragments\`, and ${missing}`)
}

function named<T>(name: string, result: Result<T>): Result<T> {
  if (result.ok) return result
  const { code, message } = result.failure
  return { ok: false, failure: failureSaying(code, `Embedder \`${name}\`: ${message}`) }
}
