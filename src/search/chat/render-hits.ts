import { fail, ok, type Result } from '../../errors/index.js'
import { type DocId, documentJson } from '../../index/index.js'
import { isObject, type JsonObject, parse } from '../../json/index.js'
import { documentVariables, parseTemplate, renderTemplate, type Template } from '../../template/index.js'
import type { Found } from '../answer/find.js'
import type { SearchIndex } from '../search-index.js'

/** Far beyond what a model can read; templates of ours and long documents must not fill the memory. */
const MAX_CHARACTERS = 4 * 1024 * 1024
const DEEPEST = 1024

/** The hits as the model reads them: each rendered by the template of the index, over the whole document. */
export function renderHits({ index, ranking, window }: Found): Result<string> {
  const parsed = parseTemplate(index.settings.chat.documentTemplate)
  if (!parsed.ok) return refusal(index, parsed.reason)
  const texts: string[] = []
  let left = MAX_CHARACTERS
  for (const { docId } of ranking.documents.slice(window.skip, window.skip + window.take)) {
    const text = renderDocument(index, docId as DocId, parsed.template)
    if (!text.ok) return text
    left -= text.value.length
    if (left < 0) return refusal(index, `the hits together are longer than ${MAX_CHARACTERS} characters`)
    texts.push(text.value)
  }
  return ok(texts.join('\n'))
}

function renderDocument(index: SearchIndex, docId: DocId, template: Template): Result<string> {
  const variables = documentVariables(readDocument(index, docId), (name) => index.roles.of(name).searchableRank !== -1)
  const rendered = renderTemplate(template, variables)
  return rendered.ok ? ok(rendered.text) : refusal(index, rendered.reason)
}

function readDocument({ folder, fields }: SearchIndex, docId: DocId): JsonObject {
  const parsed = parse(documentJson(folder.document(docId)!, fields), DEEPEST)
  if (!parsed.ok || !isObject(parsed.value)) throw new Error(`the stored document ${docId} is not a JSON object`)
  return parsed.value
}

function refusal({ uid }: SearchIndex, reason: string): Result<never> {
  const where = `Index \`${uid}\`: its chat \`documentTemplate\``
  return fail('invalid_chat_setting_document_template', `${where} cannot be rendered: ${reason}.`)
}
