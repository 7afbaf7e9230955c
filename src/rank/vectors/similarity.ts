import { builtInDistribution, type Distribution, type Embedder, type SubEmbedder } from '../../settings/index.js'

/** Makes a score of a distance. */
export type SimilarityOf = (distance: number) => number

/** The distance of 1 to the next 32-bit float: what is left of a similarity that the shift would make nothing. */
const SMALLEST = 2 ** -23

/** Where the shift puts the scores of an embedder: around the middle, and wide (spec 7 §2.1). */
const TARGET = { mean: 0.5, sigma: 0.4 } as const

const { fround } = Math

/** Every step is rounded to 32 bits, as the recorded scores are. */
export function similarityOf(embedder: Embedder): SimilarityOf {
  const distribution = distributionOf(embedder)
  if (distribution === undefined) return (distance) => fround(1 - distance)
  const factor = fround(fround(TARGET.sigma) / fround(distribution.sigma))
  const offset = fround(TARGET.mean - fround(factor * fround(distribution.mean)))
  return (distance) => {
    const shifted = fround(fround(factor * fround(1 - distance)) + offset)
    return shifted <= 0 ? SMALLEST : Math.min(shifted, 1)
  }
}

/** What the settings say, or what is known of the model. */
function distributionOf(embedder: Embedder): Distribution | undefined {
  if (embedder.distribution !== undefined) return embedder.distribution
  if (embedder.source !== 'composite') return knownDistribution(embedder)
  return knownDistribution(embedder.searchEmbedder) ?? knownDistribution(embedder.indexingEmbedder)
}

function knownDistribution(
  embedder: Exclude<Embedder, { source: 'composite' }> | SubEmbedder,
): Distribution | undefined {
  return embedder.source === 'openAi' || embedder.source === 'huggingFace'
    ? builtInDistribution(embedder.model)
    : undefined
}
