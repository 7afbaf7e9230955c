import { sortedByName } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { type Change, wantedOf } from '../change.js'
import { type EmbedderFields, fieldsOf } from './fields.js'
import type { Embedder, EmbedderSource, Fragments } from './model.js'
import type { EmbedderField, EmbedderPatch, FragmentChanges } from './patch.js'

const DEFAULT_SOURCE: EmbedderSource = 'openAi'

/** What does not survive a change of source (spec 4 §4.10). */
const SOURCE_FIELDS: readonly EmbedderField[] = [
  'model',
  'revision',
  'pooling',
  'dimensions',
  'url',
  'indexingFragments',
  'searchFragments',
  'request',
  'response',
  'headers',
]
const TEMPLATE_FIELDS: readonly EmbedderField[] = ['documentTemplate', 'documentTemplateMaxBytes']

/** Puts a request on top of an embedder, without checking whether the outcome makes sense. */
export function mergeEmbedder(stored: Embedder | EmbedderFields | undefined, patch: EmbedderPatch): EmbedderFields {
  return mergeFields(stored === undefined ? { source: DEFAULT_SOURCE } : fieldsOf(stored), patch)
}

/** Quantization cannot be undone: the floats are gone. */
export function checkQuantization(
  name: string,
  stored: EmbedderFields | undefined,
  patch: EmbedderPatch,
): Result<undefined> {
  const wanted = patch.binaryQuantized
  if (!stored?.binaryQuantized || typeof wanted !== 'object' || wanted.set) return ok(undefined)
  return fail(
    'invalid_settings_embedders',
    `\`.embedders.${name}.binaryQuantized\`: quantization cannot be turned off again; remove the embedder and add it anew.`,
  )
}

function mergeFields(stored: EmbedderFields, patch: EmbedderPatch): EmbedderFields {
  const merged = withSource(stored, patch.source)
  for (const field of Object.keys(patch) as EmbedderField[]) mergeField(merged, field, patch)
  return merged
}

function withSource(stored: EmbedderFields, wanted: Change<EmbedderSource> | undefined): EmbedderFields {
  if (wanted === undefined) return { ...stored }
  const source = wanted === 'reset' ? DEFAULT_SOURCE : wanted.set
  const merged = { ...stored, source }
  if (stored.source === undefined || stored.source === source) return merged
  for (const field of SOURCE_FIELDS) delete merged[field]
  const isWithoutTemplate = source === 'userProvided' || source === 'composite'
  if (isWithoutTemplate) for (const field of TEMPLATE_FIELDS) delete merged[field]
  return merged
}

function mergeField(merged: EmbedderFields, field: EmbedderField, patch: EmbedderPatch): void {
  switch (field) {
    case 'source':
      break
    case 'indexingFragments':
    case 'searchFragments':
      put(merged, field, mergeFragments(merged[field], patch[field]))
      break
    case 'searchEmbedder':
      put(merged, field, typeof patch[field] === 'object' ? mergeFields({}, patch[field].set) : undefined)
      break
    case 'indexingEmbedder':
      mergeIndexingEmbedder(merged, patch)
      break
    case 'binaryQuantized':
      // Null cannot undo quantization either, but is no error.
      if (patch[field] !== 'reset' || !merged[field]) put(merged, field, wantedOf(patch[field]))
      break
    case 'documentTemplate':
      // The size belongs to the template: both go back to the default together.
      if (patch[field] === 'reset') delete merged.documentTemplateMaxBytes
      put(merged, field, wantedOf(patch[field]))
      break
    default:
      put(merged, field, wantedOf<EmbedderFields[typeof field]>(patch[field]))
  }
}

function put<F extends EmbedderField>(fields: EmbedderFields, field: F, value: EmbedderFields[F] | undefined): void {
  if (value === undefined) delete fields[field]
  else fields[field] = value
}

function mergeFragments(
  stored: Fragments | undefined,
  wanted: Change<FragmentChanges> | undefined,
): Fragments | undefined {
  if (typeof wanted !== 'object') return undefined
  const merged = new Map(stored)
  for (const [name, fragment] of wanted.set) {
    if (fragment === 'reset') merged.delete(name)
    else merged.set(name, fragment.set)
  }
  return merged.size === 0 ? undefined : sortedByName(merged)
}

/** Null without a source beside it changes nothing (spec 4 §4.10). */
function mergeIndexingEmbedder(merged: EmbedderFields, patch: EmbedderPatch): void {
  const wanted = patch.indexingEmbedder
  if (typeof wanted === 'object') merged.indexingEmbedder = mergeFields(merged.indexingEmbedder ?? {}, wanted.set)
  else if (patch.source !== undefined) delete merged.indexingEmbedder
}
