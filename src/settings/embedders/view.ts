import type { JsonObject } from '../../json/index.js'
import type { Secrecy } from '../../secret/index.js'
import { printMap } from '../change.js'
import { asPatch } from './fields.js'
import type { Embedder } from './model.js'
import { printEmbedderPatch } from './patch.js'

/** Fields in the order of spec 4 §4.8; what is not set is absent. Secrets of sub-embedders are masked too. */
export function printEmbedders(embedders: ReadonlyMap<string, Embedder>, secrecy: Secrecy): JsonObject {
  return printMap(embedders, (embedder) => printEmbedderPatch(asPatch(embedder), secrecy))
}
