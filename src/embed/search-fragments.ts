import { sortedByName } from '../byte-order/index.js'
import { ok, type Result } from '../errors/index.js'
import { type JsonObject, type JsonValue, print } from '../json/index.js'
import { type JsonTemplate, parseJsonTemplate, renderJsonTemplate } from '../template/index.js'
import type { EmbedInput, Source } from './embedder.js'
import { excerpt, refuse } from './failures.js'

type Fragments = ReadonlyMap<string, JsonTemplate>

/** The same source for queries with `q` and `media`, one search fragment of which must fit (spec 7 §1.7). */
export function withSearchFragments(source: Source, fragments: ReadonlyMap<string, JsonValue>): Result<Source> {
  const parsed = parseFragments(fragments)
  if (!parsed.ok) return parsed
  return ok({
    dimensions: source.dimensions,
    embedDocuments: (inputs, signal) => source.embedDocuments(inputs, signal),
    embedQuery: async (input, deadline) => {
      const fragment = chooseFragment(parsed.value, input)
      return fragment.ok ? source.embedQuery({ fragment: fragment.value }, deadline) : fragment
    },
  })
}

function parseFragments(fragments: ReadonlyMap<string, JsonValue>): Result<Fragments> {
  const templates = new Map<string, JsonTemplate>()
  for (const [name, value] of sortedByName(fragments)) {
    const parsed = parseJsonTemplate(value)
    if (!parsed.ok) return refuse(`\`searchFragments.${name}.value${parsed.path}\` is not a template: ${parsed.reason}`)
    templates.set(name, parsed.template)
  }
  return ok(templates)
}

function chooseFragment(fragments: Fragments, { text, media }: EmbedInput): Result<JsonValue> {
  const variables: JsonObject = new Map()
  if (text !== undefined) variables.set('q', text)
  if (media !== undefined) variables.set('media', media)
  const fitting: (readonly [name: string, value: JsonValue])[] = []
  for (const [name, template] of fragments) {
    const rendered = renderJsonTemplate(template, variables)
    if (rendered.ok) fitting.push([name, rendered.value])
    if (fitting.length === 2) break
  }
  const [first, second] = fitting
  if (first === undefined) return refuse(`no search fragment fits the query ${shown(variables)}`)
  if (second === undefined) return ok(first[1])
  return refuse(
    `two search fragments fit the query ${shown(variables)}, \`${first[0]}\` and \`${second[0]}\`; one must be the only one`,
  )
}

function shown(variables: JsonObject): string {
  return `\`${excerpt(print(variables), 500)}\``
}
