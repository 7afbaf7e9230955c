import type { AnswerFacts, AnswerWriter, Federation, SearchContext } from '../answer/index.js'
import { type ChangingBytes, isRepeatable, newUid, queryVectorJson } from '../answer/index.js'
import { andThen, printTotals, Stages, type Waitable } from '../engine/index.js'
import { errorBody, ok, type Result } from '../errors/index.js'
import type { Federated } from './federated.js'
import { atPosition } from './federation-checks.js'
import { measureHits } from './measure-hits.js'
import { printMetadata } from './metadata.js'
import type { PlannedQuery } from './plan.js'
import { runFederation } from './run.js'
import { FINDINGS, findingsJson } from './shards/collection.js'
import { FACET_PARTS, printFacetPart } from './shards/facet-part.js'
import { printOtherCandidates } from './shards/other-candidates.js'
import { printTied } from './shards/tied-documents.js'

/** Queries with one result for all of them. */
export interface FederatedSearch {
  readonly queries: readonly PlannedQuery[]
  readonly federation: Federation
}

/** Runs the queries and writes the answer of all of them together (spec 8 §1.12). */
export function writeFederated(
  out: AnswerWriter,
  search: FederatedSearch,
  context: SearchContext,
): Waitable<Result<AnswerFacts>> {
  const start = performance.now()
  const stages = Stages.ofRequest(search.federation.showPerformanceDetails, context)
  return andThen(runFederation({ ...search, stages, blame: atPosition }, context), (found) => {
    if (!found.ok) return found
    const changing = writeAnswer(out, { search, found: found.value, context, stages, start })
    const { local } = found.value
    const degraded = local.reduce((sum, result) => sum + result.degraded, 0)
    const personalized = search.federation.personalize === null || context.isProxied ? 0 : 1
    const versions = local.map(({ uid, version }) => [uid, version] as const)
    const repetition = degraded === 0 && canRepeat(search, context) ? { versions, changes: [changing] } : undefined
    return ok({ degraded, personalized, failedRemotes: found.value.failedRemotes, repetition })
  })
}

function canRepeat({ queries, federation }: FederatedSearch, context: SearchContext): boolean {
  if (federation.personalize !== null || federation.showPerformanceDetails) return false
  return queries.every(({ search }) => isRepeatable(search, context))
}

interface Answering {
  readonly search: FederatedSearch
  readonly found: Federated
  readonly context: SearchContext
  readonly stages: Stages
  readonly start: number
}

function writeAnswer(out: AnswerWriter, { search, found, context, stages, start }: Answering): ChangingBytes {
  out.utf8('{"hits":[')
  measureHits(stages, () => writeHits(out, found))
  const elapsedMs = performance.now() - start
  stages.add('search', elapsedMs)
  out.utf8(`]${printQueryVectors(search.queries, found)},"processingTimeMs":`)
  const timeAt = out.length
  out.utf8(String(processingTime(found, elapsedMs)))
  const timeEnd = out.length
  out.utf8(`,${printTotals(search.federation, found.window, found.total)}${facetsFor(found, context)},"requestUid":"`)
  const uidAt = out.length
  const metadata = context.includesMetadata ? `,"metadata":${printMetadata(search.queries, found, context)}` : ''
  out.utf8(
    `${newUid()}"${metadata}${printRemoteErrors(found, context)}${printSemanticHits(found)}${printFindings(found, context)}${stages.print()}}`,
  )
  return { timeAt, timeEnd, uidAt }
}

/** Local hits are read from their indexes here, so this belongs to the part of a search without a pause. */
export function writeHits(out: AnswerWriter, { hits }: Federated): void {
  for (let i = 0; i < hits.length; i++) {
    out.utf8(i === 0 ? hits[i]!.print() : `,${hits[i]!.print()}`)
    out.endHit()
  }
}

/** The time that passed here without waiting for others, or that of the slowest of them. */
export function processingTime({ waitedMs, remotes }: Federated, elapsedMs: number): number {
  return Math.max(Math.floor(elapsedMs - waitedMs), ...remotes.map(({ processingMs }) => processingMs))
}

const facetsFor = (found: Federated, { isForShards }: SearchContext): string =>
  isForShards ? printFacetParts(found) : printFacets(found)

/** For a server that adds them up. */
function printFacetParts({ facets, local }: Federated): string {
  const parts = Array.from(facets, ([uid, table]) => {
    const part = table.part()
    return part === undefined ? [] : [`${JSON.stringify(uid)}:${printFacetPart(part)}`]
  })
  const others = printOtherCandidates(local.flatMap(({ otherCandidates }) => otherCandidates))
  return `,"${FACET_PARTS}":{${parts.flat().join(',')}}${others}`
}

function printFacets({ facets, merged }: Federated): string {
  if (facets.size === 0) return ''
  if (merged !== null) {
    const { distribution, stats } = merged.print()
    return `,"facetDistribution":${distribution},"facetStats":${stats}`
  }
  const tables = Array.from(facets, ([uid, table]) => {
    const { distribution, stats } = table.print()
    return `${JSON.stringify(uid)}:{"distribution":${distribution},"stats":${stats}}`
  })
  return `,"facetsByIndex":{${tables.join(',')}}`
}

/** Told where some query asks for vectors, whether any was used or not (spec 8 §1.11). */
function printQueryVectors(queries: readonly PlannedQuery[], { local, remotes }: Federated): string {
  if (!queries.some(({ search }) => search.retrieveVectors)) return ''
  const vectors = [
    ...local.flatMap(({ queryVectors }) => Array.from(queryVectors, ([at, vector]) => [at, queryVectorJson(vector)])),
    ...remotes.flatMap(({ queryVectors }) => [...queryVectors]),
  ]
  return `,"queryVectors":{${vectors.map(([position, vector]) => `"${position}":${vector}`).join(',')}}`
}

/** For a server that asks others for their parts too. */
function printFindings({ local }: Federated, { isForShards }: SearchContext): string {
  if (!isForShards) return ''
  const findings = findingsJson(local.flatMap(({ findings }) => [...findings]))
  const shards = JSON.stringify(local.flatMap((result) => result.shards))
  return `,"${FINDINGS}":${findings},"shards":${shards}${printTied(local.flatMap(({ tied }) => tied))}`
}

/** With a comma before it, or nothing. */
export function printRemoteErrors(
  { remoteErrors }: Pick<Federated, 'remoteErrors'>,
  { errorsUrl }: SearchContext,
): string {
  if (remoteErrors === null) return ''
  const errors = Array.from(
    remoteErrors,
    ([name, failure]) => `${JSON.stringify(name)}:${JSON.stringify(errorBody(failure, errorsUrl))}`,
  )
  return `,"remoteErrors":{${errors.join(',')}}`
}

/** With a comma before it, or nothing where words alone were looked for. */
export function printSemanticHits({ semanticHitCount }: Federated): string {
  return semanticHitCount === null ? '' : `,"semanticHitCount":${semanticHitCount}`
}
