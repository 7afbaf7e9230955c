import { ok } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import type { CollectionKnowledge, KnownTerm, PartFindings, TermFindings } from '../../rank/index.js'
import {
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

const knownTerm: Shape<KnownTerm> = refined(
  object({
    key: told(text),
    isKnown: told(bool),
    isCachedPrefix: told(bool),
    lastCompletion: told(nullable(text)),
    oneTypo: told(arrayOf(text)),
    twoTypos: told(arrayOf(text)),
    split: optional(nullable(arrayOf(text)), 'bad_request'),
    isSplitCounted: told(bool),
  }),
  (term) =>
    term.split === undefined || term.split === null || term.split.length === 2
      ? ok({ ...term, split: term.split })
      : 'a word is split in two',
)

const collectionKnowledge: Shape<CollectionKnowledge> = object({
  terms: told(arrayOf(knownTerm)),
  frequencies: told(nullable(arrayOf(uint))),
  paths: told(mapOf(arrayOf(text))),
})

/** What the indexes of a collection know together of a query; undefined where it is something else. */
export function readKnowledge(value: JsonValue): CollectionKnowledge | null | undefined {
  const read = checkBody(nullable(collectionKnowledge), value)
  return read.ok ? read.value : undefined
}

const splitCount = object({ at: told(uint), count: told(uint) })

const termFindings: Shape<TermFindings> = object({
  key: told(text),
  isKnown: told(bool),
  isCachedPrefix: told(bool),
  completions: told(arrayOf(text)),
  tolerant: told(nullable(arrayOf(text))),
  oneTypo: told(arrayOf(text)),
  twoTypos: told(arrayOf(text)),
  mayHaveMore: told(bool),
  split: told(nullable(arrayOf(text))),
  splits: told(nullable(arrayOf(splitCount))),
})

/** What one of them found out. */
const partFindings: Shape<PartFindings> = object({
  terms: told(arrayOf(termFindings)),
  frequencies: told(nullable(arrayOf(uint))),
  paths: told(mapOf(arrayOf(text))),
  hasExactAttributes: told(bool),
})

const findingsByPosition = mapOf(partFindings)

/** What another server found out about queries, by their positions; undefined where it tells something else. */
export function readFindings(value: JsonValue): Map<string, PartFindings> | undefined {
  const read = checkBody(findingsByPosition, value)
  return read.ok ? read.value : undefined
}
