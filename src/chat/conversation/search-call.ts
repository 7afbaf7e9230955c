import type { Failure } from '../../errors/index.js'
import { isObject, kindOf, parse } from '../../json/index.js'
import type { ToolCall } from './tool-calls.js'

/** What the model wants to have searched. */
export interface WantedSearch {
  readonly indexUid: string
  readonly q: string | null
  readonly filter: string | null
}

/** What came of it. */
export type SearchOutcome =
  /** `documents` is the JSON text of a list, `text` is for the model. */
  | { readonly kind: 'found'; readonly documents: string; readonly text: string }
  /** The query does not fit the index: a matter between model and index. */
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Searches with the rights of whoever began the conversation, as they are at this moment. */
export type Search = (wanted: WantedSearch) => Promise<SearchOutcome>

export type ReadArguments =
  | { readonly ok: true; readonly wanted: WantedSearch }
  | { readonly ok: false; readonly reason: string }

/** Models that learned the other spelling of the first one use it whatever they are told. */
const MEMBERS = ['indexUid', 'index_uid', 'q', 'filter']

/** Reads what a model wrote: its words are as little to be trusted as those of any client. */
export function readArguments({ argumentsText }: ToolCall): ReadArguments {
  const parsed = parse(argumentsText)
  if (!parsed.ok) return refused(`they are not valid JSON: ${parsed.reason}`)
  if (!isObject(parsed.value)) return refused(`an object was expected, not ${kindOf(parsed.value)}`)
  const { value } = parsed
  const wrong = MEMBERS.find((name) => typeof (value.get(name) ?? '') !== 'string')
  if (wrong !== undefined) return refused(`\`${wrong}\` must be a string`)
  const [long = null, short = null, q = null, filter = null] = MEMBERS.map((name) => value.get(name) as string | null)
  const indexUid = long ?? short
  return indexUid === null ? refused('`indexUid` is missing') : { ok: true, wanted: { indexUid, q, filter } }
}

const refused = (reason: string): ReadArguments => ({
  ok: false,
  reason: `The arguments of the call cannot be read: ${reason}.`,
})
