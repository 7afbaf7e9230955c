import { ok, type Result } from '../errors/index.js'
import type { EmbedInput, Source } from './embedder.js'
import { because, refuse } from './failures.js'

interface Children {
  readonly search: Source
  readonly indexing: Source
  /** Without it the children are not asked: texts mean nothing to a provider of fragments. */
  readonly canProbe: boolean
}

/** Long and short, with and without special characters: models that agree on these are the same model. */
const PROBES: readonly EmbedInput[] = [
  { text: 'test' },
  { text: 'A quiet harbour at dawn: three boats, one lamp and no wind.' },
  { text: 'Überraschung! 東京 is 9 hours ahead of UTC — or is it?' },
]
const MAX_DISTANCE = 0.01

/** Two embedders that stand for one model: queries go to the first, documents to the second (spec 7 §1.9). */
export async function openComposite({ search, indexing, canProbe }: Children): Promise<Result<Source>> {
  if (search.dimensions !== indexing.dimensions) {
    return refuse(
      `the vectors of \`searchEmbedder\` have ${search.dimensions} dimensions, those of \`indexingEmbedder\` ${indexing.dimensions}`,
    )
  }
  const compared = canProbe ? await compareProbes(search, indexing) : ok(undefined)
  if (!compared.ok) return compared
  return ok({
    dimensions: indexing.dimensions,
    embedDocuments: (inputs, signal) => indexing.embedDocuments(inputs, signal),
    embedQuery: (input, deadline) => search.embedQuery(input, deadline),
  })
}

async function compareProbes(search: Source, indexing: Source): Promise<Result<undefined>> {
  const searching = await embedProbes(search)
  if (!searching.ok) return because('`searchEmbedder` could not embed a test', searching.failure)
  const documents = await embedProbes(indexing)
  if (!documents.ok) return because('`indexingEmbedder` could not embed a test', documents.failure)
  const worst = Math.max(...searching.value.map((vector, i) => cosineDistance(vector, documents.value[i]!)))
  if (worst <= MAX_DISTANCE) return ok(undefined)
  return refuse(
    `\`searchEmbedder\` and \`indexingEmbedder\` are not the same model: their vectors of one text are ${worst} apart, and ${MAX_DISTANCE} is the limit`,
  )
}

/** A failure is one here even when those of documents are ignored. */
async function embedProbes(child: Source): Promise<Result<Float32Array[]>> {
  const embedded = await child.embedDocuments(PROBES, new AbortController().signal)
  const isIgnored = embedded.ok && embedded.value.some(({ length }) => length === 0)
  return isIgnored ? refuse('the request failed') : embedded
}

/** From 0 to 1, in single precision from left to right (spec 7 §2.1). */
export function cosineDistance(a: Float32Array, b: Float32Array): number {
  const { fround } = Math
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!
    const y = b[i]!
    dot = fround(dot + fround(x * y))
    squaresA = fround(squaresA + fround(x * x))
    squaresB = fround(squaresB + fround(y * y))
  }
  const norms = fround(fround(Math.sqrt(squaresA)) * fround(Math.sqrt(squaresB)))
  if (norms <= SMALLEST_NORMS) return 0
  const cosine = Math.min(1, Math.max(-1, fround(dot / norms)))
  return fround(fround(1 - cosine) / 2)
}

/** The distance between 1 and the next 32-bit float. */
const SMALLEST_NORMS = 2 ** -23
