import type { Schema } from '../shape/index.js'
import { texts } from './texts.js'

/** The same description with a sentence for each field and parameter that has one in `texts`. */
export function explained(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(explained)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    name === 'properties' ? explainedFields(value as Readonly<Record<string, Schema>>) : explained(value),
  ])
  const copy = Object.fromEntries(entries) as Schema
  return copy.in === 'query' ? withText(String(copy.name), copy) : copy
}

function explainedFields(fields: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const entries = Object.entries(fields).map(([name, schema]) => [name, withText(name, explained(schema) as Schema)])
  return Object.fromEntries(entries)
}

/** Fields of requests have codes, which tell those of one name apart. */
function withText(name: string, schema: Schema): Schema {
  const [code] = (schema['x-error-codes'] ?? []) as string[]
  const description = code && (texts[`${name} (${code})`] ?? texts[name])
  return description ? { ...schema, description } : schema
}
