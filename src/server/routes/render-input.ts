import { documentJson } from '../../documents/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { type IndexFolder, readSettings } from '../../folder/index.js'
import { isObject, type JsonObject, type JsonValue, parse, shown } from '../../json/index.js'
import { compileFieldRoles } from '../../settings/index.js'
import { documentVariables, type Variables } from '../../template/index.js'
import { checkParameters, needs, openNamed, type RenderCall, refuses } from './render-parameters.js'

export const INPUT_KINDS = ['indexDocument', 'inlineDocument', 'inlineSearch'] as const

const CODE = 'invalid_render_input'

/** `input` of a request, whose shape was checked. */
export interface Input {
  readonly kind: (typeof INPUT_KINDS)[number]
  readonly indexUid?: string | null
  readonly id?: string | null
  readonly inline?: JsonValue
}

/** What a template is rendered with: `doc` and `fields` of a document, or `q` and `media` of a search. */
export interface RenderValues {
  readonly of: 'document' | 'search'
  readonly variables: Variables
}

const PARAMETERS = {
  indexDocument: [...needs('indexUid', 'id'), ...refuses('inline')],
  inlineDocument: [...refuses('indexUid', 'id'), ...needs('inline')],
  inlineSearch: [...refuses('indexUid', 'id'), ...needs('inline')],
} as const

export function resolveInput(call: RenderCall, input: Input): Result<RenderValues> {
  const { kind } = input
  if (kind === 'inlineSearch') {
    const feature = call.context.features.require('multimodal', 'Rendering with the input kind `inlineSearch`')
    if (!feature.ok) return feature
  }
  const checked = checkParameters({ where: 'input', code: CODE, kind, given: { ...input } }, PARAMETERS[kind])
  if (!checked.ok) return checked
  if (kind === 'indexDocument') return indexDocument(call, input.indexUid ?? '', input.id ?? '')
  const { inline = null } = input
  if (!isObject(inline)) return fail(CODE, `\`.input.inline\`: an object was expected, not ${shown(inline)}.`)
  return kind === 'inlineDocument' ? ok(documentValues(inline, () => true)) : inlineSearch(inline)
}

/** The settings of the document's own index say which of its fields are searchable. */
function indexDocument(call: RenderCall, indexUid: string, id: string): Result<RenderValues> {
  const folder = openNamed(call, indexUid, '.input.indexUid')
  if (!folder.ok) return folder
  const document = readDocument(folder.value, id)
  if (document === undefined) return fail('render_document_not_found', id)
  const roles = compileFieldRoles(readSettings(folder.value))
  return ok(documentValues(document, (name) => roles.of(name).searchableRank !== -1))
}

function readDocument(folder: IndexFolder, id: string): JsonObject | undefined {
  const docId = folder.docIdOf(id)
  const stored = docId === undefined ? undefined : folder.document(docId)
  if (stored === undefined) return undefined
  const parsed = parse(documentJson(stored, folder.readFields()), 1024)
  if (!parsed.ok || !isObject(parsed.value)) throw new Error(`the stored document ${docId} is not a JSON object`)
  return parsed.value
}

const documentValues = (document: JsonObject, isSearchable: (name: string) => boolean): RenderValues => ({
  of: 'document',
  variables: documentVariables(document, isSearchable),
})

/** Null counts as absent here too; members of other names are passed over. */
function inlineSearch(search: JsonObject): Result<RenderValues> {
  const [q = null, media = null] = [search.get('q'), search.get('media')]
  if (q !== null && typeof q !== 'string')
    return fail(CODE, `\`.input.inline.q\`: a string was expected, not ${shown(q)}.`)
  const variables = new Map<string, JsonValue>()
  if (q !== null) variables.set('q', q)
  if (media !== null) variables.set('media', media)
  return ok({ of: 'search', variables })
}
