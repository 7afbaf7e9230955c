import { numberText } from './number.js'
import { Float, type JsonValue } from './value.js'

/** Compact JSON text: members in their order, non-ASCII characters as they are. */
export function print(value: JsonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return numberText(value)
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  const members: string[] = []
  for (const [name, member] of value) members.push(`${JSON.stringify(name)}:${print(member)}`)
  return `{${members.join(',')}}`
}
