/**
 * A number written with a fraction or an exponent, or too large for 64 bits. The interface tells `5` from `5.0`
 * (spec 1 §2.3), which JavaScript numbers cannot.
 */
export class Float {
  constructor(readonly value: number) {}
}

/** JSON text that is printed as it is, among plain data that `fromPlain` prepares for printing. */
export class RawJson {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Members in the order of the text. A `Map`, so that no name (`__proto__`, `1`) is special and order is kept. */
export type JsonObject = Map<string, JsonValue>

/**
 * JSON as the interface sees it. A `number` is always an integer within the safe range; integers beyond it, up to
 * 64 bits signed or unsigned, are `bigint`; every other number is a `Float`.
 */
export type JsonValue = null | boolean | number | bigint | Float | string | JsonValue[] | JsonObject

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map
}

/** The type does not tell, since nobody but printers meets such a value. */
export const isRaw = (value: unknown): value is RawJson => value instanceof RawJson

/** The value as a double, or undefined when it is no number. */
export function toDouble(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return value instanceof Float ? value.value : undefined
}

/** Plain JavaScript data to `JsonValue`. Integral numbers become integers, all others floats; undefined members vanish. */
export function fromPlain(data: unknown): JsonValue {
  if (data === null || data === undefined) return null
  if (typeof data === 'number') return Number.isSafeInteger(data) && !Object.is(data, -0) ? data : new Float(data)
  if (typeof data === 'string' || typeof data === 'boolean' || typeof data === 'bigint') return data
  if (Array.isArray(data)) return data.map(fromPlain)
  if (data instanceof Map || data instanceof Float || data instanceof RawJson) return data as JsonValue
  const object: JsonObject = new Map()
  for (const [name, member] of Object.entries(data)) if (member !== undefined) object.set(name, fromPlain(member))
  return object
}

/** `JsonValue` to plain JavaScript data. Precision of large integers and the int/float difference are lost. */
export function toPlain(value: JsonValue): unknown {
  if (value instanceof Float) return value.value
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isObject(value)) return isRaw(value) ? value.toJSON() : value
  const plain: Record<string, unknown> = Object.create(null)
  for (const [name, member] of value) plain[name] = toPlain(member)
  return plain
}
