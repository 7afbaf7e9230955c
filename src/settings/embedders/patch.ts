import { ok } from '../../errors/index.js'
import { Float, type JsonObject, type JsonValue } from '../../json/index.js'
import type { Secrecy } from '../../secret/index.js'
import {
  anyJson,
  bool,
  double,
  named,
  object,
  oneOf,
  refined,
  required,
  type Shape,
  text,
  uint,
} from '../../shape/index.js'
import {
  type Change,
  type Changes,
  change,
  changes,
  type Printers,
  printAsIs,
  printChange,
  printChanges,
  printMap,
  sortedMapOf,
} from '../change.js'
import { type Distribution, type EmbedderSource, embedderSources, type Pooling, poolings } from './model.js'

const CODE = 'invalid_settings_embedders'

export type FragmentChanges = ReadonlyMap<string, Change<JsonValue>>

/** Every field an embedder can have, in the order of answers (spec 4 §4.8). */
interface Members {
  readonly source: EmbedderSource
  readonly model: string
  readonly revision: string
  readonly pooling: Pooling
  readonly apiKey: string
  readonly dimensions: number
  readonly binaryQuantized: boolean
  readonly documentTemplate: string
  readonly documentTemplateMaxBytes: number
  readonly url: string
  readonly indexingFragments: FragmentChanges
  readonly searchFragments: FragmentChanges
  readonly request: JsonValue
  readonly response: JsonValue
  readonly headers: ReadonlyMap<string, string>
  readonly searchEmbedder: EmbedderPatch
  readonly indexingEmbedder: EmbedderPatch
  readonly distribution: Distribution
}

export type EmbedderField = keyof Members
/** What a request says about one embedder. */
export interface EmbedderPatch extends Changes<Members> {}
/** What a request says about the embedders of an index, in the byte order of their names. */
export type EmbeddersPatch = ReadonlyMap<string, Change<EmbedderPatch>>

const mean: Shape<number> = refined(
  double,
  (value) => (value >= 0 && value <= 1 ? ok(value) : `a number from 0 to 1 was expected, ${value} was found`),
  { minimum: 0, maximum: 1 },
)
const sigma: Shape<number> = refined(
  double,
  (value) => (value > 0 && value <= 1 ? ok(value) : `a number above 0 and up to 1 was expected, ${value} was found`),
  { exclusiveMinimum: 0, maximum: 1 },
)

/** Members other than `value` are passed over (spec 4 §4.7). */
const fragment: Shape<JsonValue> = refined(
  object({ value: required(anyJson, CODE, CODE) }, { ignoreUnknown: true }),
  ({ value }) => ok(value),
)
const fragments: Shape<FragmentChanges> = sortedMapOf(change(fragment))

/** Sub-embedders know the same fields; which of them are allowed is checked later, with the source at hand. */
const subEmbedder: Shape<EmbedderPatch> = {
  expected: 'an object',
  describe: (names) => embedder.describe(names),
  check: (value, place) => embedder.check(value, place),
}

const embedder: Shape<EmbedderPatch> = named(
  'Embedder',
  changes<Members>(CODE, {
    source: oneOf(embedderSources),
    model: text,
    revision: text,
    pooling: oneOf(poolings),
    apiKey: text,
    dimensions: uint,
    binaryQuantized: bool,
    documentTemplate: text,
    documentTemplateMaxBytes: uint,
    url: text,
    indexingFragments: fragments,
    searchFragments: fragments,
    request: anyJson,
    response: anyJson,
    headers: sortedMapOf(text),
    searchEmbedder: subEmbedder,
    indexingEmbedder: subEmbedder,
    distribution: object({ mean: required(mean, CODE, CODE), sigma: required(sigma, CODE, CODE) }, { code: CODE }),
  }),
)

/** Name to embedder, or to null for its removal. */
export const embedders: Shape<EmbeddersPatch> = sortedMapOf(change(embedder))

function printers(secrecy: Secrecy): Printers<Members> {
  const printFragments = (members: FragmentChanges) =>
    printMap(members, (wanted) => printChange(wanted, (value) => new Map([['value', value]])))
  return {
    source: printAsIs,
    model: printAsIs,
    revision: printAsIs,
    pooling: printAsIs,
    apiKey: secrecy.key,
    dimensions: printAsIs,
    binaryQuantized: printAsIs,
    documentTemplate: printAsIs,
    documentTemplateMaxBytes: printAsIs,
    url: secrecy.url,
    indexingFragments: printFragments,
    searchFragments: printFragments,
    request: printAsIs,
    response: printAsIs,
    headers: (headers) => new Map(Array.from(headers, ([name, value]) => [name, secrecy.header(name, value)])),
    searchEmbedder: (patch) => printEmbedderPatch(patch, secrecy),
    indexingEmbedder: (patch) => printEmbedderPatch(patch, secrecy),
    distribution: (distribution) =>
      new Map([
        ['mean', new Float(distribution.mean)],
        ['sigma', new Float(distribution.sigma)],
      ]),
  }
}

export function printEmbedderPatch(patch: EmbedderPatch, secrecy: Secrecy): JsonObject {
  return printChanges<Members>(patch, printers(secrecy))
}

export function printEmbeddersPatch(patch: EmbeddersPatch, secrecy: Secrecy): JsonObject {
  return printMap(patch, (wanted) => printChange(wanted, (embedderPatch) => printEmbedderPatch(embedderPatch, secrecy)))
}
