import { type DocId, documentJson } from '../../documents/index.js'
import type { SearchOutcome, SearchQuery } from '../../engine/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { isObject, type JsonObject, parse } from '../../json/index.js'
import type { SearchIndex } from '../../match/index.js'
import { documentVariables, parseTemplate, renderTemplate, type Template } from '../../template/index.js'
import { HitPrinter, pageOf } from '../hits.js'

/** Far beyond what a model can read; templates of ours and long documents must not fill the memory. */
const MAX_CHARACTERS = 4 * 1024 * 1024
const DEEPEST = 1024

/**
 * The hits as the model reads them, each rendered by the template of the index. A template of the operator names what
 * it shows, and can name everything (`doc`); what is listed without being named (`fields`), which is all that the
 * default template knows, are the displayed attributes, as in the hits.
 */
export function renderHits(found: SearchOutcome, query: SearchQuery): Result<string> {
  const { index } = found
  const parsed = parseTemplate(index.settings.chat.documentTemplate)
  if (!parsed.ok) return refusal(index, parsed.reason)
  const printer = new HitPrinter(found, query, null)
  const texts: string[] = []
  let left = MAX_CHARACTERS
  for (const ranked of pageOf(found)) {
    const text = renderDocument(index, parsed.template, {
      whole: readDocument(documentJson(index.folder.document(ranked.docId as DocId)!, index.fields)),
      displayed: readDocument(printer.document(ranked)),
    })
    if (!text.ok) return text
    left -= text.value.length
    if (left < 0) return refusal(index, `the hits together are longer than ${MAX_CHARACTERS} characters`)
    texts.push(text.value)
  }
  return ok(texts.join('\n'))
}

interface RenderedDocument {
  readonly whole: JsonObject
  /** The part of it that hits show. */
  readonly displayed: JsonObject
}

/** Whoever talks to the model is told what is missing, but not what else there is. */
function renderDocument(index: SearchIndex, template: Template, document: RenderedDocument): Result<string> {
  const isSearchable = (name: string) => index.roles.of(name).searchableRank !== -1
  const rendered = renderTemplate(template, documentVariables(document.whole, isSearchable, document.displayed))
  return rendered.ok ? ok(rendered.text) : refusal(index, rendered.bareReason)
}

function readDocument(json: string): JsonObject {
  const parsed = parse(json, DEEPEST)
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('a stored document is a JSON object')
  return parsed.value
}

function refusal({ uid }: SearchIndex, reason: string): Result<never> {
  const where = `Index \`${uid}\`: its chat \`documentTemplate\``
  return fail('invalid_chat_setting_document_template', `${where} cannot be rendered: ${reason}.`)
}
