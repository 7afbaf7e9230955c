import { fail, ok, type Result } from '../errors/index.js'
import type { SearchIndex } from '../match/index.js'
import { isGoodEnough, weightsOf } from '../rank/index.js'
import type { Embedder } from '../settings/index.js'
import { deadlineOf, type PreparedSearch, prepareSearch } from './execute-search.js'
import { rankByWords } from './rank-as.js'
import type { SearchTask } from './search-task.js'
import { LOCAL_STAGE } from './stages.js'
import type { Waitable } from './waitable.js'

/**
 * The vector of a query that a model has to make, null where there is none to make. Failures count only where meaning
 * alone decides (spec 7 §2.3, §3.1). When this has waited, everything that was read of indexes has to be read again.
 */
export function embedQuery(finding: SearchTask): Waitable<Result<Float32Array | null>> {
  const { hybrid, vector } = finding.query
  if (hybrid === null || vector !== null) return ok(null)
  const prepared = prepareSearch(finding)
  // What is wrong here is wrong for the search too, which says so.
  if (!prepared.ok || prepared.value.kind === 'keyword' || hasGoodHits(prepared.value, finding)) return ok(null)
  const isHybrid = prepared.value.kind === 'hybrid'
  const start = performance.now()
  return finding.context.wait(askModel(prepared.value, finding)).then((embedded) => {
    finding.stages.add(`${LOCAL_STAGE} > embed query`, performance.now() - start)
    return embedded.ok || !isHybrid ? embedded : ok(null)
  })
}

/** The size of the vectors is known once documents may have some: models need not be asked for it again. */
function knownEmbedders(index: SearchIndex): ReadonlyMap<string, Embedder> {
  return index.derive(KNOWN_EMBEDDERS, () => {
    const known = [...index.settings.embedders].map(([name, config]): [string, Embedder] => {
      const dimensions = index.vectors.embedder(name)?.dimensions
      const isOpen = config.source === 'rest' || config.source === 'ollama'
      return [name, isOpen && dimensions !== undefined ? { ...config, dimensions } : config]
    })
    return new Map(known)
  })
}

const KNOWN_EMBEDDERS = Symbol('known embedders')

function hasGoodHits({ index, kind, request }: PreparedSearch, finding: SearchTask): boolean {
  if (kind !== 'hybrid' || finding.part !== undefined) return false
  const weights = weightsOf(finding.query.hybrid!.semanticRatio)
  return isGoodEnough(rankByWords({ index, request, finding }), request.depth, weights)
}

function askModel({ index }: PreparedSearch, { query, context }: SearchTask): Promise<Result<Float32Array>> {
  const name = query.hybrid!.embedder
  if (context.embedders === undefined) {
    return Promise.resolve(fail('vector_embedding_error', `No model can be asked for the embedder \`${name}\` here.`))
  }
  const { q, media } = query
  const embedders = knownEmbedders(index)
  const expected = index.vectors.embedder(name)!.dimensions
  return context.embedders
    .embed({ embedders, name, q, media, deadline: deadlineOf(index) })
    .then((embedded) => (embedded.ok ? checkSize(name, embedded.value, expected) : embedded))
}

function checkSize(name: string, vector: Float32Array, expected: number): Result<Float32Array> {
  if (vector.length === expected) return ok(vector)
  const sizes = `a vector of ${vector.length} numbers, and those of documents have ${expected}`
  return fail('vector_embedding_error', `Embedder \`${name}\`: the model made ${sizes}.`)
}
