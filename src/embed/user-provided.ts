import type { Result } from '../errors/index.js'
import type { EmbedInput, Source } from './embedder.js'
import { excerpt, refuse } from './failures.js'

const SHOWN_CHARACTERS = 250

/** Vectors come with the documents and with the searches; none is ever computed (spec 7 §1.10). */
export class UserProvidedSource implements Source {
  constructor(readonly dimensions: number) {}

  async embedDocuments(inputs: readonly EmbedInput[]): Promise<Result<Float32Array[]>> {
    return refuse(`the source \`userProvided\` computes no vectors, and ${inputs.length} were asked for`)
  }

  async embedQuery({ text = '' }: EmbedInput): Promise<Result<Float32Array>> {
    const shown = JSON.stringify(excerpt(text, SHOWN_CHARACTERS))
    return refuse(`the source \`userProvided\` cannot embed the query ${shown}: give its \`vector\``)
  }
}
