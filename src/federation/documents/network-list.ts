import type { SearchContext, SearchNetwork } from '../../answer/index.js'
import { compareBytes } from '../../byte-order/index.js'
import type { ScoreValue } from '../../engine/index.js'
import { errorBody, type Failure, ok, type Result } from '../../errors/index.js'
import { isObject, type JsonValue, print, toDouble } from '../../json/index.js'
import { compareHits, compareParts } from '../compare.js'
import { mergeByScore } from '../merge.js'
import type { Scored } from '../model.js'
import { askRemotes, NOBODY_ASKED, type QuestionPart } from '../remote/ask-remotes.js'
import type { AnswerProblem } from '../remote/remote-exchange.js'
import { readScoreValues } from '../score-values.js'
import { type NetworkShares, sharesOf } from '../shards/shard-owners.js'

/** A document of a list, as JSON, and what it is sorted by. */
interface ListedDocument {
  readonly json: string
  readonly values: readonly ScoreValue[]
}

/** The beginning of a list, and how long all of it is. */
interface DocumentList {
  readonly documents: readonly ListedDocument[]
  readonly total: number
}

interface Paging {
  readonly offset: number
  readonly limit: number
}

export interface NetworkList extends Paging {
  /** The route that all servers are asked. */
  readonly path: string
  /** Its body, for a list from the first document on: of all documents of a server, or of those of some shards. */
  readonly bodyOf: (shards: readonly string[]) => JsonValue
  /** The same list of this server, of all its documents where shards are null. */
  readonly listHere: (shards: readonly string[] | null) => Result<DocumentList>
}

/** The part of the list of all servers that was asked for. */
export interface MergedList extends DocumentList {
  /** Of servers that are not part of it. */
  readonly errors: ReadonlyMap<string, Failure>
  /** Servers that may be better off without the next request. */
  readonly failed: readonly string[]
}

type NetworkContext = SearchContext & { readonly network: SearchNetwork }

/** The documents of the network in one list. */
export async function listNetwork(list: NetworkList, context: NetworkContext): Promise<Result<MergedList>> {
  const { network } = context
  const shares = sharesOf(network)
  const asked = askOthers(list, shares, context)
  const here = shares.here === undefined ? ok(undefined) : list.listHere(shares.here)
  if (!here.ok) {
    asked?.giveUp()
    return here
  }
  const { answers, errors, failed } = (await asked?.answered) ?? NOBODY_ASKED
  const own = here.value === undefined ? [] : [{ name: network.self!, found: here.value }]
  const lists = [...own, ...answers].sort((a, b) => compareBytes(a.name, b.name))
  const compare = network.shards === null ? compareHits : compareListed
  return ok({ ...mergeLists(lists, list, compare), errors, failed })
}

function askOthers({ path, bodyOf }: NetworkList, { named, shards }: NetworkShares, context: NetworkContext) {
  const bodyFor = (part: QuestionPart) => ok(print(bodyOf(part.shards)))
  return askRemotes({ path, named, shards, bodyFor, read: readList }, { ...context, includesMetadata: false })
}

/** With a comma before it, or nothing where all servers answered. */
export function printRemoteErrors(errors: ReadonlyMap<string, Failure>, { errorsUrl }: SearchContext): string {
  if (errors.size === 0) return ''
  const shown = Array.from(errors, ([name, each]) => [name, errorBody(each, errorsUrl)] as const)
  return `,"remoteErrors":${JSON.stringify(Object.fromEntries(shown))}`
}

/** Where the lists are parts of one, it is in the order of the whole. */
const compareListed = (left: Scored, right: Scored): number =>
  compareParts(left, right) || left.queryPosition - right.queryPosition

/** Equal documents come in the order of their servers. */
function mergeLists(lists: readonly NamedList[], { offset, limit }: Paging, compare: typeof compareHits): DocumentList {
  const scored = lists.map(({ found }, queryPosition) =>
    found.documents.map(({ json, values }) => ({ json, values, score: 1, queryPosition })),
  )
  const documents = [...mergeByScore(scored, compare)].slice(offset, offset + limit)
  return { documents, total: lists.reduce((sum, { found }) => sum + found.total, 0) }
}

interface NamedList {
  /** Of the server. */
  readonly name: string
  readonly found: DocumentList
}

function readList(name: string, answer: JsonValue): NamedList | AnswerProblem {
  if (!isObject(answer)) return 'of another kind'
  const results = answer.get('results')
  const total = toDouble(answer.get('total') ?? null)
  const sortValues = answer.get('sortValues')
  if (!Array.isArray(results) || total === undefined) return 'of another kind'
  if (!Array.isArray(sortValues) || sortValues.length !== results.length) return 'incomplete hits'
  const documents: ListedDocument[] = []
  for (const [i, document] of results.entries()) {
    const values = readScoreValues(sortValues[i])
    if (values === undefined) return 'incomplete hits'
    documents.push({ json: print(document), values })
  }
  return { name, found: { documents, total } }
}
