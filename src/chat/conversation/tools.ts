import { fromPlain, type JsonObject, print } from '../../json/index.js'
import type { Prompts } from '../workspace/settings.js'

/** The function that the model calls to search. Clients must not declare it themselves. */
export const SEARCH_TOOL = '_meiliSearchInIndex'

/** Functions that no model sees: a client that declares one is told of what happens on the way to the answer. */
export const SPECIAL_TOOLS = {
  progress: '_meiliSearchProgress',
  sources: '_meiliSearchSources',
  append: '_meiliAppendConversationMessage',
} as const

export type Notification = keyof typeof SPECIAL_TOOLS

/** What the model is told of an index that it may search. */
export interface OfferedIndex {
  readonly uid: string
  readonly description: string
  /** Filterable fields in byte order, each with its most frequent values. */
  readonly facets: readonly (readonly [attribute: string, values: readonly string[]])[]
}

/** JSON text of the search tool (spec 7 §5.5). Indexes stand in it as they are given. */
export function searchTool(prompts: Prompts, indexes: readonly OfferedIndex[]): string {
  const uids = indexes.map(({ uid }) => uid)
  // A list without choices is refused by providers.
  const choices = uids.length === 0 ? {} : { enum: uids }
  const parameters = {
    type: 'object',
    additionalProperties: false,
    required: ['indexUid', 'q', 'filter'],
    properties: {
      indexUid: { type: 'string', ...choices, description: prompts.searchIndexUidParam },
      q: { type: 'string', description: prompts.searchQParam },
      filter: { type: 'string', description: prompts.searchFilterParam + indexes.map(facetLines).join('') },
    },
  }
  const description = prompts.searchDescription + indexes.map(descriptionLines).join('')
  const declared = { name: SEARCH_TOOL, description, strict: true, parameters }
  return print(fromPlain({ type: 'function', function: declared }) as JsonObject)
}

const descriptionLines = ({ uid, description }: OfferedIndex): string => `\n\n - ${uid}: ${description}\n\n`

function facetLines({ uid, facets }: OfferedIndex): string {
  const lines = facets.map(([attribute, values]) => `${attribute}: ${values.join(', ')}.\n`)
  return `\n## Facet distributions of the index ${uid}\n${lines.join('')}\n`
}
