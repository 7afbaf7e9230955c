import { fail, ok, type Result } from '../../errors/index.js'
import { type EmbedderSource, embedderSources } from './model.js'
import type { EmbedderField, EmbedderPatch } from './patch.js'

/** Where an embedder stands: on its own, or on one side of a composite one. */
export type Position = 'top' | 'search' | 'indexing'

type Need = 'mandatory' | 'allowed' | 'forbidden'

interface FieldRow {
  readonly field: EmbedderField
  readonly mandatory?: readonly EmbedderSource[]
  readonly allowed?: readonly EmbedderSource[]
  /** Sides of a composite embedder where no source accepts the field. */
  readonly forbiddenIn?: readonly Position[]
}

const TEMPLATED: readonly EmbedderSource[] = ['openAi', 'huggingFace', 'ollama', 'rest']

/** Which field goes with which source; checked in this order (spec 4 §4.2). Everything not listed is forbidden. */
const rows: readonly FieldRow[] = [
  { field: 'model', mandatory: ['ollama'], allowed: ['openAi', 'huggingFace'] },
  { field: 'revision', allowed: ['huggingFace'] },
  { field: 'pooling', allowed: ['huggingFace'] },
  { field: 'dimensions', mandatory: ['userProvided'], allowed: ['openAi', 'ollama', 'rest'] },
  { field: 'apiKey', allowed: ['openAi', 'ollama', 'rest'] },
  { field: 'url', mandatory: ['rest'], allowed: ['openAi', 'ollama'] },
  { field: 'indexingFragments', allowed: ['rest'], forbiddenIn: ['search'] },
  { field: 'searchFragments', allowed: ['rest'], forbiddenIn: ['indexing'] },
  { field: 'request', mandatory: ['rest'] },
  { field: 'response', mandatory: ['rest'] },
  { field: 'documentTemplate', allowed: TEMPLATED, forbiddenIn: ['search'] },
  { field: 'documentTemplateMaxBytes', allowed: TEMPLATED, forbiddenIn: ['search'] },
  { field: 'headers', allowed: ['rest'] },
  { field: 'searchEmbedder', mandatory: ['composite'] },
  { field: 'indexingEmbedder', mandatory: ['composite'] },
  { field: 'binaryQuantized', allowed: embedderSources, forbiddenIn: ['search', 'indexing'] },
  { field: 'distribution', allowed: embedderSources, forbiddenIn: ['search', 'indexing'] },
]

function needOf(row: FieldRow, source: EmbedderSource, position: Position): Need {
  if (row.forbiddenIn?.includes(position)) return 'forbidden'
  if (row.mandatory?.includes(source)) return 'mandatory'
  return row.allowed?.includes(source) ? 'allowed' : 'forbidden'
}

interface SourceCheck {
  /** The embedder, with `.searchEmbedder` or `.indexingEmbedder` behind it when nested. */
  readonly name: string
  readonly patch: EmbedderPatch
  readonly source: EmbedderSource
  readonly position: Position
}

/** A forbidden field is refused even when it is null; a mandatory one that is null counts as missing. */
export function checkSourceFields(check: SourceCheck): Result<undefined> {
  for (const row of rows) {
    const wanted = check.patch[row.field]
    const need = needOf(row, check.source, check.position)
    if (need === 'forbidden' && wanted !== undefined) return forbidden(row, check)
    if (need === 'mandatory' && (wanted === undefined || wanted === 'reset')) return missing(row, check)
  }
  return ok(undefined)
}

function forbidden(row: FieldRow, { name, source, position }: SourceCheck): Result<never> {
  const sources = embedderSources.filter((candidate) => needOf(row, candidate, position) !== 'forbidden')
  const where = sources.length === 0 ? 'it is accepted nowhere inside this embedder' : `it goes with ${list(sources)}`
  return fail(
    'invalid_settings_embedders',
    `\`.embedders.${name}\`: the field \`${row.field}\` does not go with the source \`${source}\`; ${where}; the fields of \`${source}\` are ${list(fieldsOf(source, position))}.`,
  )
}

function missing(row: FieldRow, { name, source, position }: SourceCheck): Result<never> {
  return fail(
    'invalid_settings_embedders',
    `\`.embedders.${name}\`: the field \`${row.field}\` is missing, which the source \`${source}\` needs; the fields of \`${source}\` are ${list(fieldsOf(source, position))}.`,
  )
}

function fieldsOf(source: EmbedderSource, position: Position): string[] {
  const fields = rows.filter((row) => needOf(row, source, position) !== 'forbidden').map((row) => row.field)
  return ['source', ...fields]
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
