import type { FieldRegistry, StoredDocument, StoredField } from '../documents/index.js'
import { RESERVED, storedValue } from '../documents/index.js'
import { type JsonObject, print } from '../json/index.js'
import type { Embedder, FieldRoles } from '../settings/index.js'
import {
  documentVariables,
  type JsonTemplate,
  parseJsonTemplate,
  parseTemplate,
  renderJsonTemplate,
  renderTemplate,
  type Template,
  type Variables,
} from '../template/index.js'
import type { EmbeddingInput } from './document-embedders.js'

/** What is embedded for one slot of a document. */
export interface SlotInput {
  readonly slot: number
  readonly input: EmbeddingInput
  /** The same for the same input. */
  readonly identity: string
}

export type RenderedInputs =
  | { readonly ok: true; readonly inputs: readonly SlotInput[] }
  | { readonly ok: false; readonly reason: string }

/** Says what an embedder is given for a document. */
export interface DocumentRenderer {
  /** `sentNames`: the attributes that templates see first, in this order; the others follow as they are stored. */
  render(document: StoredDocument, sentNames?: readonly string[]): RenderedInputs
}

/** What documents are read with. */
export interface RenderingRules {
  readonly registry: FieldRegistry
  readonly roles: FieldRoles
}

/** Undefined for an embedder whose vectors come from users. `fragments` are the names by slot. */
export function documentRenderer(
  embedder: Embedder,
  fragments: readonly (string | null)[],
  rules: RenderingRules,
): DocumentRenderer | undefined {
  const side = embedder.source === 'composite' ? embedder.indexingEmbedder : embedder
  if (side.source === 'userProvided') return undefined
  if (side.source === 'rest' && side.indexingFragments !== undefined) {
    const values = side.indexingFragments
    const templates = fragments.map((name) => (name === null ? undefined : parsedFragment(values.get(name)!)))
    return new FragmentRenderer(templates, rules)
  }
  return new TemplateRenderer(parsedTemplate(side.documentTemplate ?? ''), rules)
}

class TemplateRenderer implements DocumentRenderer {
  constructor(
    private readonly template: Template,
    private readonly rules: RenderingRules,
  ) {}

  render(document: StoredDocument, sentNames: readonly string[] = []): RenderedInputs {
    const rendered = renderTemplate(this.template, variablesOf(document, sentNames, this.rules))
    if (!rendered.ok) return rendered
    const { text } = rendered
    return { ok: true, inputs: [{ slot: 0, input: { text }, identity: text }] }
  }
}

/** A fragment that cannot be rendered is left out (spec 7 §1.7). */
class FragmentRenderer implements DocumentRenderer {
  constructor(
    private readonly templates: readonly (JsonTemplate | undefined)[],
    private readonly rules: RenderingRules,
  ) {}

  render(document: StoredDocument, sentNames: readonly string[] = []): RenderedInputs {
    const doc = variablesOf(document, sentNames, this.rules).get('doc')!
    const variables: Variables = new Map([['doc', doc]])
    const inputs: SlotInput[] = []
    for (const [slot, template] of this.templates.entries()) {
      const rendered = template && renderJsonTemplate(template, variables)
      if (!rendered?.ok) continue
      inputs.push({ slot, input: { fragment: rendered.value }, identity: print(rendered.value) })
    }
    return { ok: true, inputs }
  }
}

function variablesOf(
  document: StoredDocument,
  sentNames: readonly string[],
  { registry, roles }: RenderingRules,
): Variables {
  const values: JsonObject = new Map()
  for (const { fieldId, value } of inSentOrder(document, sentNames, registry)) {
    const name = registry.nameOf(fieldId)
    if (!RESERVED.has(name)) values.set(name, storedValue(value))
  }
  return documentVariables(values, (name) => roles.of(name).searchableRank !== -1)
}

/** What was sent comes first (spec 7 §1.11). */
function inSentOrder(
  document: StoredDocument,
  sentNames: readonly string[],
  registry: FieldRegistry,
): Iterable<StoredField> {
  if (sentNames.length === 0) return document
  const left = new Map(document.map((field) => [field.fieldId, field]))
  const sent: StoredField[] = []
  for (const name of sentNames) {
    const fieldId = registry.idOf(name)
    const field = fieldId === undefined ? undefined : left.get(fieldId)
    if (field === undefined) continue
    sent.push(field)
    left.delete(field.fieldId)
  }
  return [...sent, ...left.values()]
}

/** Settings were checked before they were stored. */
function parsedTemplate(text: string): Template {
  const parsed = parseTemplate(text)
  if (!parsed.ok) throw new Error(`a stored template cannot be parsed: ${parsed.reason}`)
  return parsed.template
}

function parsedFragment(value: Parameters<typeof parseJsonTemplate>[0]): JsonTemplate {
  const parsed = parseJsonTemplate(value)
  if (!parsed.ok) throw new Error(`a stored fragment cannot be parsed: ${parsed.reason}`)
  return parsed.template
}
