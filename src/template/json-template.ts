import { isObject, type JsonValue } from '../json/index.js'
import { TemplateProblem } from './problem.js'
import type { Variables } from './scope.js'
import { parseTemplate, type RenderLimits, renderTemplate, type Template } from './template.js'

/** A JSON value whose strings are templates: a fragment of an embedder. */
export type JsonTemplate =
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly JsonTemplate[] }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, JsonTemplate> }
  | { readonly kind: 'as-is'; readonly value: JsonValue }

export type ParsedJsonTemplate =
  | { readonly ok: true; readonly template: JsonTemplate }
  /** `path` leads to the string that is wrong, and is empty for the value itself. */
  | { readonly ok: false; readonly path: string; readonly reason: string }

class JsonProblem extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(reason)
  }
}

export function parseJsonTemplate(value: JsonValue): ParsedJsonTemplate {
  try {
    return { ok: true, template: parseJson(value, '') }
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, path: error.path, reason: error.reason }
    throw error
  }
}

function parseJson(value: JsonValue, path: string): JsonTemplate {
  if (typeof value === 'string') {
    const parsed = parseTemplate(value)
    if (!parsed.ok) throw new JsonProblem(path, parsed.reason)
    return { kind: 'text', template: parsed.template }
  }
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item, i) => parseJson(item, `${path}[${i}]`)) }
  if (!isObject(value)) return { kind: 'as-is', value }
  const members = [...value].map(([name, member]) => [name, parseJson(member, `${path}.${name}`)] as const)
  return { kind: 'members', members: new Map(members) }
}

export type RenderedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string }

/** The same value with every string rendered. */
export function renderJsonTemplate(
  template: JsonTemplate,
  variables: Variables,
  limits: RenderLimits = {},
): RenderedJson {
  try {
    return { ok: true, value: renderJson(template, variables, limits) }
  } catch (error) {
    if (error instanceof TemplateProblem) return { ok: false, reason: error.message }
    throw error
  }
}

function renderJson(template: JsonTemplate, variables: Variables, limits: RenderLimits): JsonValue {
  switch (template.kind) {
    case 'as-is':
      return template.value
    case 'list':
      return template.items.map((item) => renderJson(item, variables, limits))
    case 'members':
      return new Map([...template.members].map(([name, member]) => [name, renderJson(member, variables, limits)]))
    case 'text': {
      const rendered = renderTemplate(template.template, variables, limits)
      if (!rendered.ok) throw new TemplateProblem(rendered.reason)
      return rendered.text
    }
  }
}
