import type { SearchContext, SearchNetwork } from '../../answer/index.js'
import type { ScoreValue } from '../../engine/index.js'
import { errorBody, type Failure, ok, type Result } from '../../errors/index.js'
import { isObject, type JsonValue, print, toDouble } from '../../json/index.js'
import { mergeByScore } from '../merge.js'
import { askRemotes } from '../remote/ask-remotes.js'
import type { AnswerProblem } from '../remote/remote-exchange.js'
import { readScoreValues } from '../score-values.js'

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
  /** Its body, for a list from the first document on. */
  readonly body: JsonValue
  /** The same list of this server; undefined where it is not one of them. */
  readonly listHere: () => Result<DocumentList | undefined>
}

/** The part of the list of all servers that was asked for. */
export interface MergedList extends DocumentList {
  /** Of servers that are not part of it. */
  readonly errors: ReadonlyMap<string, Failure>
}

type NetworkContext = SearchContext & { readonly network: SearchNetwork }

/** The documents of the network in one list. */
export async function listNetwork(list: NetworkList, context: NetworkContext): Promise<Result<MergedList>> {
  const { network } = context
  const asked = askOthers(list, context)
  const here = list.listHere()
  if (!here.ok) {
    asked?.giveUp()
    return here
  }
  const { answers, errors } = (await asked?.answered) ?? NOBODY
  const byName = new Map(answers.map(({ name, found }) => [name, found]))
  const lists = network.everywhere.flatMap((name) => (name === network.self ? here.value : byName.get(name)) ?? [])
  return ok({ ...mergeLists(lists, list), errors })
}

/** Whether documents of this server belong to those of the network. */
export const isAskedItself = ({ self, everywhere }: SearchNetwork): boolean =>
  self !== null && everywhere.includes(self)

const NOBODY = { answers: [], errors: new Map<string, Failure>() }

function askOthers({ path, body }: NetworkList, { network, remotes }: NetworkContext) {
  const others = network.everywhere.filter((name) => name !== network.self)
  const bodies = new Map(others.map((name) => [name, ok(print(body))]))
  return askRemotes({ path, bodies, read: readList }, { network, remotes, includesMetadata: false })
}

/** With a comma before it, or nothing where all servers answered. */
export function printRemoteErrors(errors: ReadonlyMap<string, Failure>, { errorsUrl }: SearchContext): string {
  if (errors.size === 0) return ''
  const shown = Array.from(errors, ([name, each]) => [name, errorBody(each, errorsUrl)] as const)
  return `,"remoteErrors":${JSON.stringify(Object.fromEntries(shown))}`
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
