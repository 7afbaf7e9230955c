import { ok } from '../../errors/index.js'
import { type JsonValue, toDouble } from '../../json/index.js'
import type { CollectionKnowledge, KnownTerm, PartFindings, TermFindings } from '../../rank/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  checkBody,
  mapOf,
  nullable,
  object,
  optional,
  refined,
  required,
  type Shape,
  text,
  uint,
} from '../../shape/index.js'

/** What servers tell each other of a query. Nobody else is meant to send it, so that refusals need not say more. */
const told = <T>(shape: Shape<T>) => required(shape, 'bad_request', 'bad_request')

/** Far more than any query has: what another server makes up shall not keep this one busy. */
const MOST_TERMS = 1000
const MOST_WORDS = 2000
const MOST_WAYS = 200_000

const atMost = <T>(most: number, shape: Shape<T>): Shape<T[]> =>
  refined(arrayOf(shape), (list) => (list.length <= most ? ok(list) : `at most ${most} were expected`))

const words = atMost(MOST_WORDS, text)

/** By buckets, the ways through the query. */
const ways: Shape<Map<string, string[]>> = refined(mapOf(arrayOf(text)), (byBucket) => {
  let count = byBucket.size
  for (const list of byBucket.values()) count += list.length
  return count <= MOST_WAYS ? ok(byBucket) : `at most ${MOST_WAYS} ways were expected`
})

const knownTerm: Shape<KnownTerm> = refined(
  object({
    key: told(text),
    isKnown: told(bool),
    isCachedPrefix: told(bool),
    lastCompletion: told(nullable(text)),
    oneTypo: told(words),
    twoTypos: told(words),
    split: optional(nullable(arrayOf(text)), 'bad_request'),
    isSplitCounted: told(bool),
  }),
  (term) =>
    term.split === undefined || term.split === null || term.split.length === 2
      ? ok({ ...term, split: term.split })
      : 'a word is split in two',
)

const collectionKnowledge: Shape<CollectionKnowledge> = object({
  languages: told(nullable(words)),
  terms: told(nullable(atMost(MOST_TERMS, knownTerm))),
  frequencies: told(nullable(atMost(MOST_TERMS, uint))),
  paths: told(ways),
})

/** What the indexes of a collection know together of a query; undefined where it is something else. */
export function readKnowledge(value: JsonValue): CollectionKnowledge | null | undefined {
  const read = checkBody(nullable(collectionKnowledge), value)
  return read.ok ? read.value : undefined
}

const distinctQuestion: Shape<DistinctQuestion> = refined(
  object({ taken: told(arrayOf(anyJson)), most: told(nullable(uint)) }),
  ({ taken, most }) => {
    const values = taken.map((value) => (typeof value === 'string' ? value : toDouble(value)))
    return values.includes(undefined) ? 'values are numbers and texts' : ok({ taken: values as FacetValues, most })
  },
)

/** What a part is told of others in which each value of an attribute comes once. */
export interface DistinctQuestion {
  /** Documents of other parts have these. */
  readonly taken: FacetValues
  /** So many documents of this one are taken; null as long as that is open. */
  readonly most: number | null
}

type FacetValues = readonly (number | string)[]

/** Undefined where it is something else. */
export function readDistinctQuestion(value: JsonValue): DistinctQuestion | null | undefined {
  const read = checkBody(nullable(distinctQuestion), value)
  return read.ok ? read.value : undefined
}

const splitCount = object({ at: told(uint), count: told(uint) })

const termFindings: Shape<TermFindings> = object({
  key: told(text),
  isKnown: told(bool),
  isCachedPrefix: told(bool),
  completions: told(words),
  tolerant: told(nullable(words)),
  oneTypo: told(words),
  twoTypos: told(words),
  mayHaveMore: told(bool),
  split: told(nullable(arrayOf(text))),
  splits: told(nullable(atMost(MOST_WORDS, splitCount))),
})

/** What one of them found out. */
const partFindings: Shape<PartFindings> = object({
  languages: told(nullable(words)),
  terms: told(atMost(MOST_TERMS, termFindings)),
  frequencies: told(nullable(atMost(MOST_TERMS, uint))),
  paths: told(ways),
  hasExactAttributes: told(bool),
})

const findingsByPosition = mapOf(partFindings)

/** What another server found out about queries, by their positions; undefined where it tells something else. */
export function readFindings(value: JsonValue): Map<string, PartFindings> | undefined {
  const read = checkBody(findingsByPosition, value)
  return read.ok ? read.value : undefined
}
