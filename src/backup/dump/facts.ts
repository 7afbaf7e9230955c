import { isObject, type JsonObject, type JsonValue, parseBytes, toDouble } from '../../json/index.js'
import { formatTimestamp, parseTimestamp } from '../../time/index.js'
import { BadArchive } from '../archive/bad-archive.js'

/** Settings and filters of users stand deeper in a dump than in the request they came with. It was accepted then. */
const DUMP_LIMITS = { maxDepth: 1024, maxWeight: Number.POSITIVE_INFINITY }

/** Names a place of the dump in messages: `tasks/queue.jsonl, line 3`. */
export function parseMember(bytes: Uint8Array, place: string): JsonValue {
  const parsed = parseBytes(bytes, DUMP_LIMITS)
  if (!parsed.ok) throw new BadArchive(`${place} is not JSON: ${parsed.reason}`)
  return parsed.value
}

/** The members of a JSON object of a dump, read leniently: absent and null are the same, unknown ones do not matter. */
export class Facts {
  readonly object: JsonObject

  constructor(
    value: JsonValue | undefined,
    readonly place: string,
  ) {
    if (!isObject(value)) throw new BadArchive(`${place}: an object was expected`)
    this.object = value
  }

  has(name: string): boolean {
    return this.value(name) !== null
  }

  /** Null when absent. */
  value(name: string): JsonValue {
    return this.object.get(name) ?? null
  }

  text(name: string): string {
    return this.textOrNull(name) ?? this.refuse(name, 'a text')
  }

  textOrNull(name: string): string | null {
    const value = this.value(name)
    return value === null || typeof value === 'string' ? value : this.refuse(name, 'a text')
  }

  count(name: string): number {
    return this.countOrNull(name) ?? this.refuse(name, 'a count')
  }

  countOrNull(name: string): number | null {
    const value = this.value(name)
    if (value === null) return null
    return typeof value === 'number' && value >= 0 ? value : this.refuse(name, 'a count')
  }

  /** A number in any writing. */
  numberOrNull(name: string): number | null {
    const value = this.value(name)
    return value === null ? null : (toDouble(value) ?? this.refuse(name, 'a number'))
  }

  flag(name: string, otherwise = false): boolean {
    const value = this.value(name)
    if (value === null) return otherwise
    return typeof value === 'boolean' ? value : this.refuse(name, 'true or false')
  }

  /** As the interface writes instants. */
  time(name: string): string {
    return this.timeOrNull(name) ?? this.refuse(name, 'a time')
  }

  timeOrNull(name: string): string | null {
    const text = this.textOrNull(name)
    if (text === null) return null
    const time = parseTimestamp(text)
    return time === undefined ? this.refuse(name, 'a time') : formatTimestamp(time)
  }

  list(name: string): JsonValue[] {
    const value = this.value(name)
    if (value === null) return []
    return Array.isArray(value) ? value : this.refuse(name, 'a list')
  }

  texts(name: string): string[] {
    return this.list(name).map((item) => (typeof item === 'string' ? item : this.refuse(name, 'a list of texts')))
  }

  facts(name: string): Facts {
    return new Facts(this.object.get(name), `${this.place}, ${name}`)
  }

  factsOrNull(name: string): Facts | null {
    return this.has(name) ? this.facts(name) : null
  }

  refuse(name: string, expected: string): never {
    throw new BadArchive(`${this.place}: "${name}" must be ${expected}`)
  }
}
