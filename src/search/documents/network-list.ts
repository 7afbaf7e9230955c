import { errorBody, type Failure, ok, type Result } from '../../errors/index.js'
import { isObject, type JsonValue, print, toDouble } from '../../json/index.js'
import {
  type AnswerProblem,
  askRemotes,
  failedRemotes,
  mergeByScore,
  printScoreValues,
  readScoreValues,
  type ScoreValue,
  type SearchNetwork,
} from '../../search/index.js'
import type { ServerContext } from '../context.js'

/** A document of a list, as JSON, and what it is sorted by. */
export interface ListedDocument {
  readonly json: string
  readonly values: readonly ScoreValue[]
}

/** The beginning of a list, and how long all of it is. */
export interface DocumentList {
  readonly documents: readonly ListedDocument[]
  readonly total: number
}

export interface Paging {
  readonly offset: number
  readonly limit: number
}

/** The answer of a list. Servers are told what documents are sorted by, people are not (spec 8 §3.7). */
export function printList({ documents, total }: DocumentList, { offset, limit }: Paging, isProxied: boolean): string {
  const results = documents.map(({ json }) => json).join(',')
  const values = isProxied ? `,"sortValues":[${documents.map((each) => printScoreValues(each.values)).join(',')}]` : ''
  return `{"results":[${results}],"offset":${offset},"limit":${limit},"total":${total}${values}}`
}

export interface NetworkList extends Paging {
  /** The route that all servers are asked. */
  readonly path: string
  /** Its body, for a list from the first document on. */
  readonly body: JsonValue
  /** The same list of this server. */
  readonly listHere: () => Result<DocumentList>
}

/** The documents of the network in one list. Servers that fail are told of, and left out. */
export async function listNetwork(list: NetworkList, context: ServerContext): Promise<Result<string>> {
  const network = context.network.forSearch()
  const asked = askOthers(list, network, context)
  const here = isAskedItself(network) ? list.listHere() : ok(undefined)
  if (!here.ok) {
    asked?.giveUp()
    return here
  }
  const { answers, errors } = (await asked?.answered) ?? NOBODY
  const byName = new Map(answers.map(({ name, found }) => [name, found]))
  const lists = network.everywhere.flatMap((name) => (name === network.self ? here.value : byName.get(name)) ?? [])
  context.network.failed(failedRemotes({ remoteErrors: errors }))
  return ok(withErrors(printList(mergeLists(lists, list), list, false), errors, context))
}

/** Whether documents of this server belong to those of the network. */
export const isAskedItself = ({ self, everywhere }: SearchNetwork): boolean =>
  self !== null && everywhere.includes(self)

const NOBODY = { answers: [], errors: new Map<string, Failure>() }

function askOthers({ path, body }: NetworkList, network: SearchNetwork, { outbound, config }: ServerContext) {
  const others = network.everywhere.filter((name) => name !== network.self)
  const bodies = new Map(others.map((name) => [name, ok(print(body))]))
  const timeoutMs = config.outgoing.remoteSearchTimeoutMs
  const remotes = { request: outbound.request.bind(outbound), timeoutMs }
  return askRemotes({ path, bodies, read: readList }, { network, remotes, includesMetadata: false })
}

function withErrors(text: string, errors: ReadonlyMap<string, Failure>, { config }: ServerContext): string {
  if (errors.size === 0) return text
  const shown = Array.from(errors, ([name, each]) => [name, errorBody(each, config.errorsUrl)] as const)
  return `${text.slice(0, -1)},"remoteErrors":${JSON.stringify(Object.fromEntries(shown))}}`
}

/** Equal documents come in the order of their servers. */
function mergeLists(lists: readonly DocumentList[], { offset, limit }: Paging): DocumentList {
  const scored = lists.map(({ documents }, queryPosition) =>
    documents.map(({ json, values }) => ({ json, values, score: 1, queryPosition })),
  )
  const documents = [...mergeByScore(scored)].slice(offset, offset + limit)
  return { documents, total: lists.reduce((sum, { total }) => sum + total, 0) }
}

function readList(name: string, answer: JsonValue): { name: string; found: DocumentList } | AnswerProblem {
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
