import type { AnswerFacts, AnswerWriter, SearchContext, SimilarJob, SimilarPart } from '../answer/index.js'
import {
  checkSimilar,
  findSimilarPart,
  findTarget,
  partId,
  printSimilarEnding,
  readTargetId,
  readVectors,
} from '../answer/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import { fromPlain, isObject, type JsonValue, print, toDouble } from '../json/index.js'
import { mergeFilters } from '../match/index.js'
import type { SlotVector } from '../rank/index.js'
import { shardOf } from '../sharding/index.js'
import { askRemotes, NOBODY_ASKED } from './remote/ask-remotes.js'
import type { AnswerProblem } from './remote/remote-exchange.js'
import { withShards } from './shards/shard-filter.js'
import { sharesOf } from './shards/shard-owners.js'

/** Finds the documents of all shards that are like another one, wherever that is, and writes the answer. */
export async function writeNetworkSimilar(
  out: AnswerWriter,
  job: SimilarJob,
  context: SearchContext,
): Promise<Result<AnswerFacts>> {
  const start = performance.now()
  const checked = checkSimilar(job, context)
  if (!checked.ok) return checked
  const id = readTargetId(job.query.id)
  if (!id.ok) return id
  const target = await context.wait(targetOf(job, id.value, context))
  if (!target.ok) return target
  if (target.value === undefined) return fail('not_found_similar_id', id.value)
  const found = await partsOf(job, { not: id.value, near: target.value }, context)
  if (!found.ok) return found
  const { parts, failed } = found.value
  const { hits, total } = mergeParts(parts, job)
  const { maxTotalHits } = checked.value.index.settings.pagination
  out.utf8(`{"hits":[${hits.join(',')}]`)
  const ending = { id: id.value, total: Math.min(total, maxTotalHits), elapsedMs: performance.now() - start }
  out.utf8(`${printSimilarEnding(job.query, ending)}}`)
  return ok({ degraded: 0, failedRemotes: failed })
}

type Target = readonly SlotVector[] | undefined

/** The vectors of the document, from an owner of its shard. */
async function targetOf(job: SimilarJob, id: string, context: SearchContext): Promise<Result<Target>> {
  const network = context.network!
  const shard = shardOf([...network.shards!.keys()], id)
  if (!sharesOf(network).shards.includes(shard)) {
    const checked = checkSimilar(job, context)
    return checked.ok ? findTarget(checked.value, id, context) : checked
  }
  const { embedder } = job.query
  const body = { id: partId({ of: id }), embedder, filter: context.tenantFilter(job.uid), limit: 0 }
  const asked = askRemotes(
    { path: pathOf(job), named: [], shards: [shard], bodyFor: () => ok(bodyText(body)), read: readTarget },
    context,
  )
  const { answers, errors } = await asked!.answered
  const [answer] = answers
  if (answer !== undefined) return ok(answer.target)
  return { ok: false, failure: [...errors.values()][0]! }
}

function readTarget(_name: string, answer: JsonValue): { target: Target } | AnswerProblem {
  const target = isObject(answer) ? answer.get('target') : undefined
  if (target === null) return { target: undefined }
  const vectors = readVectors(target)
  return vectors === undefined ? 'of another kind' : { target: vectors }
}

interface NearTarget {
  readonly not: string
  readonly near: readonly SlotVector[]
}

interface FoundParts {
  readonly parts: readonly SimilarPart[]
  readonly failed: readonly string[]
}

/** The nearest documents of each server, from the first on. */
async function partsOf(job: SimilarJob, near: NearTarget, context: SearchContext): Promise<Result<FoundParts>> {
  const { here, shards } = sharesOf(context.network!)
  const asked = askRemotes(
    {
      path: pathOf(job),
      named: [],
      shards,
      bodyFor: (part) => ok(bodyText({ ...forwarded(job, part.shards, context), id: partId(near) })),
      read: readPart,
    },
    context,
  )
  const own = here === undefined ? ok(NOTHING) : findHere(job, { here: here ?? [], near }, context)
  if (!own.ok) {
    asked?.giveUp()
    return own
  }
  const { answers, failed } = (await asked?.answered) ?? NOBODY_ASKED
  return ok({ parts: [own.value, ...answers], failed })
}

const NOTHING: SimilarPart = { hits: [], total: 0 }

function findHere(
  job: SimilarJob,
  { here, near }: { readonly here: readonly string[]; readonly near: NearTarget },
  context: SearchContext,
): Result<SimilarPart> {
  const { offset, limit } = job.query
  const filter = withShards(job.query.filter, here, 'once')
  const query = { ...job.query, filter, offset: 0, limit: offset + limit, rankingScoreThreshold: null }
  const checked = checkSimilar({ uid: job.uid, query }, context)
  return checked.ok ? findSimilarPart(checked.value, near, context) : checked
}

/** All but the threshold, which ends the list of all servers. */
function forwarded({ uid, query }: SimilarJob, shards: readonly string[], context: SearchContext) {
  const { embedder, offset, limit, attributesToRetrieve, retrieveVectors } = query
  const { showRankingScore, showRankingScoreDetails } = query
  const filter = withShards(mergeFilters(query.filter, context.tenantFilter(uid)) ?? null, shards, 'once')
  const shown = { attributesToRetrieve, retrieveVectors, showRankingScore, showRankingScoreDetails }
  return { embedder, filter, limit: Math.min(offset + limit, Number.MAX_SAFE_INTEGER), ...shown }
}

const pathOf = ({ uid }: SimilarJob): string => `/indexes/${uid}/similar`

const bodyText = (body: object): string => print(fromPlain(body))

function readPart(_name: string, answer: JsonValue): SimilarPart | AnswerProblem {
  if (!isObject(answer)) return 'of another kind'
  const [hits, similarities] = [answer.get('hits'), answer.get('similarities')]
  const total = toDouble(answer.get('total') ?? null)
  if (!Array.isArray(hits) || !Array.isArray(similarities) || total === undefined) return 'of another kind'
  if (hits.length !== similarities.length) return 'incomplete hits'
  return { hits: hits.map((hit, i) => ({ text: print(hit), similarity: toDouble(similarities[i]!) ?? 0 })), total }
}

/** Where a document of the page is not similar enough, neither are all that follow. */
function mergeParts(parts: readonly SimilarPart[], { query }: SimilarJob): { hits: string[]; total: number } {
  const { offset, limit, rankingScoreThreshold: threshold } = query
  const all = parts.flatMap(({ hits }) => hits).sort((a, b) => b.similarity - a.similarity)
  const page = all.slice(offset, offset + limit)
  const cut = threshold === null ? -1 : page.findIndex(({ similarity }) => similarity < threshold)
  const hits = (cut === -1 ? page : page.slice(0, cut)).map(({ text }) => text)
  const total = parts.reduce((sum, part) => sum + part.total, 0)
  return { hits, total: cut === -1 ? total : offset + hits.length }
}
