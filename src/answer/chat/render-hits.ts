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
  const renderer = HitRenderer.prepare(found.index)
  if (!renderer.ok) return renderer
  const printer = new HitPrinter(found, query, null)
  const texts = pageOf(found).map((ranked) => renderer.value.render(ranked.docId, printer.document(ranked)))
  return joinTexts(found.index.uid, texts)
}

/** The texts of all hits as one. */
export function joinTexts(uid: string, texts: Iterable<Result<string>>): Result<string> {
  const joined: string[] = []
  let left = MAX_CHARACTERS
  for (const text of texts) {
    if (!text.ok) return text
    left -= text.value.length
    if (left < 0) return templateRefusal(uid, `the hits together are longer than ${MAX_CHARACTERS} characters`)
    joined.push(text.value)
  }
  return ok(joined.join('\n'))
}

/** Makes a text of a document, by the template of its index. */
export class HitRenderer {
  private constructor(
    private readonly index: SearchIndex,
    private readonly template: Template,
  ) {}

  static prepare(index: SearchIndex): Result<HitRenderer> {
    const parsed = parseTemplate(index.settings.chat.documentTemplate)
    return parsed.ok ? ok(new HitRenderer(index, parsed.template)) : templateRefusal(index.uid, parsed.reason)
  }

  /** `displayed` is the part of the document that hits show, as JSON. */
  render(docId: number, displayed: string): Result<string> {
    const { index } = this
    const whole = readDocument(documentJson(index.folder.document(docId as DocId)!, index.fields))
    const isSearchable = (name: string) => index.roles.of(name).searchableRank !== -1
    const variables = documentVariables(whole, isSearchable, readDocument(displayed))
    const rendered = renderTemplate(this.template, variables)
    // Whoever talks to the model is told what is missing, but not what else there is.
    return rendered.ok ? ok(rendered.text) : templateRefusal(index.uid, rendered.bareReason)
  }
}

function readDocument(json: string): JsonObject {
  const parsed = parse(json, DEEPEST)
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('a stored document is a JSON object')
  return parsed.value
}

export function templateRefusal(uid: string, reason: string): Result<never> {
  const where = `Index \`${uid}\`: its chat \`documentTemplate\``
  return fail('invalid_chat_setting_document_template', `${where} cannot be rendered: ${reason}.`)
}
