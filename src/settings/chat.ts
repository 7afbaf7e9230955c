import { fail, ok, type Result } from '../errors/index.js'
import { Float, type JsonObject, type JsonValue } from '../json/index.js'
import { double, nullable, object, oneOf, optional, refined, required, type Shape, text, uint } from '../shape/index.js'
import { parseTemplate } from '../template/index.js'
import { type Changes, changed, changes, type Printers, printAsIs, printChanges, printTexts, texts } from './change.js'
import {
  type ChatHybrid,
  type ChatSearchParameters,
  type ChatSettings,
  defaultSettings,
  matchingStrategies,
} from './model.js'

const CODE = 'invalid_settings_index_chat'
const DEFAULT_SEMANTIC_RATIO = 0.5

type SearchParameters = Required<ChatSearchParameters>

interface Members {
  readonly description: string
  readonly documentTemplate: string
  readonly documentTemplateMaxBytes: number
  readonly searchParameters: Changes<SearchParameters>
}

export type ChatPatch = Changes<Members>

const fraction: Shape<number> = refined(
  double,
  (value) => (value >= 0 && value <= 1 ? ok(value) : `a number from 0 to 1 was expected, ${value} was found`),
  { minimum: 0, maximum: 1 },
)

const hybrid: Shape<ChatHybrid> = refined(
  object({ embedder: required(text, CODE, CODE), semanticRatio: optional(nullable(fraction), CODE) }, { code: CODE }),
  ({ embedder, semanticRatio }) => ok({ embedder, semanticRatio: semanticRatio ?? DEFAULT_SEMANTIC_RATIO }),
)

export const chat: Shape<ChatPatch> = changes<Members>(CODE, {
  description: text,
  documentTemplate: text,
  documentTemplateMaxBytes: uint,
  searchParameters: changes<SearchParameters>(CODE, {
    hybrid,
    limit: uint,
    sort: texts,
    distinct: text,
    matchingStrategy: oneOf(matchingStrategies),
    attributesToSearchOn: texts,
    rankingScoreThreshold: fraction,
  }),
})

export function applyChat(current: ChatSettings, patch: ChatPatch): ChatSettings {
  const initial = defaultSettings.chat
  const wanted = patch.searchParameters
  return {
    description: changed(current.description, initial.description, patch.description),
    documentTemplate: changed(current.documentTemplate, initial.documentTemplate, patch.documentTemplate),
    documentTemplateMaxBytes: changed(
      current.documentTemplateMaxBytes,
      initial.documentTemplateMaxBytes,
      patch.documentTemplateMaxBytes,
    ),
    searchParameters:
      typeof wanted === 'object'
        ? applySearchParameters(current.searchParameters, wanted.set)
        : changed(current.searchParameters, initial.searchParameters, wanted),
  }
}

function applySearchParameters(current: ChatSearchParameters, patch: Changes<SearchParameters>): ChatSearchParameters {
  const merged: Record<string, unknown> = {}
  for (const name of parameterNames) {
    const value = changed<unknown>(current[name], undefined, patch[name])
    if (value !== undefined) merged[name] = value
  }
  return merged
}

/** What only the task reports; the code for a size of zero is that of the reference (spec 4 §5). */
export function checkChat({ documentTemplate, documentTemplateMaxBytes }: ChatSettings): Result<undefined> {
  if (documentTemplateMaxBytes === 0) {
    return fail(
      'invalid_settings_embedders',
      '`chat.documentTemplateMaxBytes`: an integer of 1 or more was expected, 0 was found.',
    )
  }
  const template = parseTemplate(documentTemplate)
  if (template.ok) return ok(undefined)
  return fail(
    'invalid_chat_setting_document_template',
    `\`chat.documentTemplate\` is not a template: ${template.reason}.`,
  )
}

const parameterPrinters: Printers<SearchParameters> = {
  hybrid: ({ embedder, semanticRatio }) =>
    new Map<string, JsonValue>([
      ['semanticRatio', new Float(semanticRatio)],
      ['embedder', embedder],
    ]),
  limit: printAsIs,
  sort: printTexts,
  distinct: printAsIs,
  matchingStrategy: printAsIs,
  attributesToSearchOn: printTexts,
  rankingScoreThreshold: (threshold) => new Float(threshold),
}

const parameterNames = Object.keys(parameterPrinters) as (keyof SearchParameters)[]

const printers: Printers<Members> = {
  description: printAsIs,
  documentTemplate: printAsIs,
  documentTemplateMaxBytes: printAsIs,
  searchParameters: (parameters) => printChanges<SearchParameters>(parameters, parameterPrinters),
}

export function printChatPatch(patch: ChatPatch): JsonObject {
  return printChanges<Members>(patch, printers)
}

export function printChat(settings: ChatSettings): JsonObject {
  const { searchParameters, ...members } = settings
  return printChatPatch({ ...asChanges(members), searchParameters: { set: asChanges(searchParameters) } })
}

function asChanges<T extends object>(
  members: T,
): { readonly [Name in keyof T]: { readonly set: NonNullable<T[Name]> } } {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { set: value }])) as {
    readonly [Name in keyof T]: { readonly set: NonNullable<T[Name]> }
  }
}
