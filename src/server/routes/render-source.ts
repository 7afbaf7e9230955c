import { fail, ok, type Result } from '../../errors/index.js'
import { readSettings } from '../../folder/index.js'
import type { JsonValue } from '../../json/index.js'
import { shown } from '../../json/index.js'
import type { Embedder, Fragments } from '../../settings/index.js'
import type { FeatureName } from '../../state/index.js'
import {
  parseJsonTemplate,
  parseTemplate,
  type RenderedJson,
  renderJsonTemplate,
  renderTemplate,
} from '../../template/index.js'
import type { RenderValues } from './render-input.js'
import { checkParameters, needs, openNamed, type ParameterRule, type RenderCall, refuses } from './render-parameters.js'

export const TEMPLATE_KINDS = [
  'documentTemplate',
  'chatDocumentTemplate',
  'indexingFragment',
  'searchFragment',
  'inlineDocumentTemplate',
  'inlineFragment',
] as const

type TemplateKind = (typeof TEMPLATE_KINDS)[number]

const CODE = 'invalid_render_template'

/** `template` of a request, whose shape was checked. */
export interface TemplateRequest {
  readonly kind: TemplateKind
  readonly indexUid?: string | null
  readonly embedder?: string | null
  readonly fragment?: string | null
  readonly inline?: JsonValue
  readonly documentTemplateMaxBytes?: number | null
}

/** A template that was found and parsed. */
export interface RenderSource {
  /** As it was written. */
  readonly template: JsonValue
  render(values: RenderValues): RenderedJson
}

interface KindRules {
  readonly feature?: FeatureName
  readonly parameters: readonly ParameterRule<Exclude<keyof TemplateRequest, 'kind'>>[]
}

const fragmentRules: KindRules = {
  feature: 'multimodal',
  parameters: [...needs('indexUid', 'embedder', 'fragment'), ...refuses('inline', 'documentTemplateMaxBytes')],
}

/** Checked in this order (spec 3 §7). */
const KINDS: Readonly<Record<TemplateKind, KindRules>> = {
  documentTemplate: { parameters: [...refuses('fragment', 'inline'), ...needs('indexUid', 'embedder')] },
  chatDocumentTemplate: {
    feature: 'chatCompletions',
    parameters: [...needs('indexUid'), ...refuses('embedder', 'fragment', 'inline')],
  },
  indexingFragment: fragmentRules,
  searchFragment: fragmentRules,
  inlineDocumentTemplate: { parameters: [...refuses('indexUid', 'embedder', 'fragment'), ...needs('inline')] },
  inlineFragment: {
    feature: 'multimodal',
    parameters: [
      ...refuses('indexUid', 'embedder', 'fragment'),
      ...needs('inline'),
      ...refuses('documentTemplateMaxBytes'),
    ],
  },
}

export function resolveTemplate(call: RenderCall, request: TemplateRequest): Result<RenderSource> {
  const { kind } = request
  const { feature, parameters } = KINDS[kind]
  if (feature !== undefined) {
    const enabled = call.context.features.require(feature, `Rendering the template kind \`${kind}\``)
    if (!enabled.ok) return enabled
  }
  const checked = checkParameters({ where: 'template', code: CODE, kind, given: { ...request } }, parameters)
  if (!checked.ok) return checked
  const { inline = null } = request
  if (kind === 'inlineFragment') return fragmentSource(inline)
  if (kind === 'inlineDocumentTemplate') {
    return typeof inline === 'string'
      ? textSource(inline)
      : wrong('inline', `a string was expected, not ${shown(inline)}`)
  }
  return storedSource(call, request)
}

function storedSource(call: RenderCall, request: TemplateRequest): Result<RenderSource> {
  const folder = openNamed(call, request.indexUid ?? '', '.template.indexUid')
  if (!folder.ok) return folder
  const settings = readSettings(folder.value)
  if (request.kind === 'chatDocumentTemplate') return textSource(settings.chat.documentTemplate)
  const name = request.embedder ?? ''
  const embedder = settings.embedders.get(name)
  if (embedder === undefined)
    return wrong('embedder', `there is no embedder ${shown(name)}; ${known([...settings.embedders.keys()])}`)
  if (request.kind === 'documentTemplate') return documentTemplateOf(name, embedder)
  return storedFragment(request, embedder)
}

/** The side of a composite embedder that embeds documents owns the template. */
function documentTemplateOf(name: string, embedder: Embedder): Result<RenderSource> {
  const indexing = embedder.source === 'composite' ? embedder.indexingEmbedder : embedder
  const template = indexing.source === 'userProvided' ? undefined : indexing.documentTemplate
  if (template !== undefined) return textSource(template)
  const reason = indexing.source === 'userProvided' ? 'its vectors are provided by users' : 'it uses fragments'
  return wrong('embedder', `the embedder ${shown(name ?? '')} has no document template: ${reason}`)
}

function storedFragment({ kind, embedder: name, fragment }: TemplateRequest, embedder: Embedder): Result<RenderSource> {
  const fragments = fragmentsOf(embedder, kind === 'searchFragment')
  if (fragments === undefined) return wrong('embedder', `the embedder ${shown(name ?? '')} uses no fragments`)
  const value = fragments.get(fragment ?? '')
  if (value !== undefined) return fragmentSource(value)
  return wrong(
    'fragment',
    `the embedder ${shown(name ?? '')} has no fragment ${shown(fragment ?? '')}; ${known([...fragments.keys()])}`,
  )
}

function fragmentsOf(embedder: Embedder, isSearch: boolean): Fragments | undefined {
  const side =
    embedder.source !== 'composite' ? embedder : isSearch ? embedder.searchEmbedder : embedder.indexingEmbedder
  if (side.source !== 'rest') return undefined
  return isSearch ? side.searchFragments : side.indexingFragments
}

/** The template of a whole document: it sees `doc` and `fields`. */
function textSource(template: string): Result<RenderSource> {
  const parsed = parseTemplate(template)
  if (!parsed.ok) return fail('template_parsing_error', `The template cannot be parsed: ${parsed.reason}.`)
  return ok({
    template,
    render({ of, variables }) {
      if (of === 'search') return { ok: false, reason: 'a document template needs a document, not a search' }
      const rendered = renderTemplate(parsed.template, variables)
      return rendered.ok ? { ok: true, value: rendered.text } : rendered
    },
  })
}

/** A JSON value whose strings are templates: of a document they see `doc` only. */
function fragmentSource(template: JsonValue): Result<RenderSource> {
  const parsed = parseJsonTemplate(template)
  if (!parsed.ok) {
    const place = parsed.path === '' ? 'The fragment' : `\`${parsed.path}\` of the fragment`
    return fail('template_parsing_error', `${place} cannot be parsed: ${parsed.reason}.`)
  }
  return ok({
    template,
    render: ({ variables }) =>
      renderJsonTemplate(parsed.template, new Map([...variables].filter(([name]) => name !== 'fields'))),
  })
}

const known = (names: readonly string[]): string =>
  names.length === 0 ? 'there is none' : `known are ${names.map(shown).join(', ')}`

const wrong = (parameter: string, reason: string): Result<never> => fail(CODE, `\`.template.${parameter}\`: ${reason}.`)
