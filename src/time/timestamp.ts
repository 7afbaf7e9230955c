/** Nanoseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = bigint & { readonly __unit: 'nanoseconds' }

/** Where "now" comes from; tests hand in their own. */
export type Clock = () => Timestamp

const NS_PER_MS = 1_000_000n
const NS_PER_SECOND = 1_000_000_000n

/** The wall clock with microseconds. */
export const systemClock: Clock = () => {
  const micros = Math.round((performance.timeOrigin + performance.now()) * 1000)
  return (BigInt(micros) * 1000n) as Timestamp
}

export const timestampFromMs = (ms: number): Timestamp => (BigInt(Math.round(ms)) * NS_PER_MS) as Timestamp

/** RFC 3339 in UTC, the fraction with as many digits as needed, absent when zero (spec 2 §1.5). */
export function formatTimestamp(time: Timestamp): string {
  const seconds = floorDivide(time, NS_PER_SECOND)
  const fraction = time - seconds * NS_PER_SECOND
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  if (fraction === 0n) return `${whole}Z`
  return `${whole}.${withoutLastZeros(String(fraction).padStart(9, '0'))}Z`
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/

/** The instant of a full RFC 3339 date-time with seconds and offset, or undefined. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = RFC_3339.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match
  const midnight = daySeconds(Number(year), Number(month), Number(day))
  const clock = clockSeconds(Number(hour), Number(minute), Number(second))
  const shift = offsetSeconds(offset)
  if (midnight === undefined || clock === undefined || shift === undefined) return undefined
  return (BigInt(midnight + clock - shift) * NS_PER_SECOND + BigInt(fraction.padEnd(9, '0'))) as Timestamp
}

/** The text of a time that `parseTimestamp` reads, in upper case, its fraction without zeros at its end, an offset of zero as `Z`. */
export function normalizeTimestamp(text: string): string {
  const fraction = withoutLastZeros(RFC_3339.exec(text)?.[7] ?? '')
  const offset = /[Zz]$/.test(text) ? 'Z' : text.slice(-6)
  const zone = offset === '+00:00' || offset === '-00:00' ? 'Z' : offset
  return `${text.slice(0, 19).toUpperCase()}${fraction && `.${fraction}`}${zone}`
}

function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** Midnight UTC of `YYYY-MM-DD`, or undefined. */
export function parseDay(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return undefined
  const seconds = daySeconds(Number(match[1]), Number(match[2]), Number(match[3]))
  return seconds === undefined ? undefined : ((BigInt(seconds) * NS_PER_SECOND) as Timestamp)
}

export const DAY_NS = 86_400n * NS_PER_SECOND

/** Midnight of a day, in seconds since 1970. Refuses dates that do not exist, which `Date` would roll over. */
function daySeconds(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  const ms = date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms / 1000 : undefined
}

function clockSeconds(hour: number, minute: number, second: number): number | undefined {
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : undefined
}

function offsetSeconds(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4, 6))
  if (hours > 23 || minutes > 59) return undefined
  return (offset[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60)
}

/**
 * ISO 8601 duration in days and seconds, or null when negative (spec 2 §1.5). Hours and minutes are never used;
 * the fraction has 3, 6 or 9 digits.
 */
export function formatDuration(from: Timestamp, to: Timestamp): string | null {
  const ns = to - from
  if (ns < 0n) return null
  const days = ns / DAY_NS
  const seconds = (ns % DAY_NS) / NS_PER_SECOND
  const fraction = ns % NS_PER_SECOND
  const dayPart = days > 0n ? `${days}D` : ''
  if (seconds === 0n && fraction === 0n && days > 0n) return `P${dayPart}`
  return `P${dayPart}T${seconds}${fractionText(fraction)}S`
}

function fractionText(fraction: bigint): string {
  if (fraction === 0n) return ''
  if (fraction % NS_PER_MS === 0n) return `.${String(fraction / NS_PER_MS).padStart(3, '0')}`
  if (fraction % 1000n === 0n) return `.${String(fraction / 1000n).padStart(6, '0')}`
  return `.${String(fraction).padStart(9, '0')}`
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient
}
