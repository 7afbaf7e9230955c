import type { Result } from '../errors/index.js'
import type { EmbedInput, Source } from './embedder.js'

/** Longer texts are not remembered: nobody types them twice (spec 7 §1.17). */
const MAX_TEXT_BYTES = 2_000

/** The same source, remembering the vectors of the texts that were asked for last. */
export function withCache(source: Source, entries: number): Source {
  return entries === 0 ? source : new CachedSource(source, entries)
}

class CachedSource implements Source {
  /** The text that was used last stands at the end. */
  private readonly vectors = new Map<string, Float32Array>()

  constructor(
    private readonly source: Source,
    private readonly entries: number,
  ) {}

  get dimensions(): number {
    return this.source.dimensions
  }

  embedDocuments(inputs: readonly EmbedInput[], signal: AbortSignal): Promise<Result<Float32Array[]>> {
    return this.source.embedDocuments(inputs, signal)
  }

  async embedQuery(input: EmbedInput, deadline: number): Promise<Result<Float32Array>> {
    const { text } = input
    if (text === undefined || input.fragment !== undefined || Buffer.byteLength(text) > MAX_TEXT_BYTES) {
      return this.source.embedQuery(input, deadline)
    }
    const known = this.vectors.get(text)
    if (known !== undefined) {
      this.remember(text, known)
      return { ok: true, value: known.slice() }
    }
    const embedded = await this.source.embedQuery(input, deadline)
    if (embedded.ok) this.remember(text, embedded.value.slice())
    return embedded
  }

  private remember(text: string, vector: Float32Array): void {
    this.vectors.delete(text)
    this.vectors.set(text, vector)
    if (this.vectors.size <= this.entries) return
    for (const oldest of this.vectors.keys()) {
      this.vectors.delete(oldest)
      return
    }
  }
}
