import { parseSize } from './size.js'

/** A value that was read, or what should have been there: the end of "expected ...". */
export type ParsedValue<T> = { readonly value: T } | { readonly expected: string }

/** How the values of an option are written, outside the configuration file and in it. */
export interface Kind<T> {
  /** What `--help` shows in the place of the value; null for flags, which take none on the command line. */
  readonly placeholder: string | null
  /** The value of an option that stands alone on the command line, where that is allowed. */
  readonly alone?: T
  fromText(text: string): ParsedValue<T>
  /** Integers of the file arrive as `bigint`, so that 5 and 5.0 can be told apart. */
  fromToml(value: unknown): ParsedValue<T>
}

const DAY_SECONDS = 86_400
const THREADS = 'an unsigned integer or `unlimited`'

/** Present on the command line, and exactly `true` or `false` in the environment (spec 1 §6.1). */
export const flag: Kind<boolean> = {
  placeholder: null,
  alone: true,
  fromText: (text) => choose(text, { true: true, false: false }, '`true` or `false`'),
  fromToml: (value) => (typeof value === 'boolean' ? { value } : { expected: '`true` or `false`' }),
}

export const text: Kind<string> = {
  placeholder: 'TEXT',
  fromText: (value) => ({ value }),
  fromToml: (value) => (typeof value === 'string' ? { value } : { expected: 'a string' }),
}

export const path: Kind<string> = stringKind<string>('PATH', (value) =>
  value === '' ? { expected: 'a path' } : { value },
)

/** An address to call, as the platform normalizes it: a bare host gains a final "/" (spec 2 §5.2). */
export const url: Kind<string> = stringKind<string>('URL', (value) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  const isCallable = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  return orExpected(isCallable ? parsed.href : undefined, 'an http or https URL such as https://example.com/hook')
})

/** A base to which something is appended, so it is kept as it was written. */
export const urlBase: Kind<string> = stringKind<string>('URL', (value) =>
  URL.canParse(value) ? { value } : { expected: 'an absolute URL such as https://example.com/errors' },
)

export interface HostAndPort {
  readonly host: string
  readonly port: number
}

const MAX_PORT = 65_535

export const hostAndPort: Kind<HostAndPort> = stringKind<HostAndPort>('HOST:PORT', (value) => {
  const [, bracketed, plain, digits] = /^(?:\[([^\]\s]+)\]|([^/[\]\s]+)):(\d{1,5})$/.exec(value) ?? []
  const host = bracketed ?? plain
  const isAddress = host !== undefined && Number(digits) <= MAX_PORT
  return isAddress
    ? { value: { host, port: Number(digits) } }
    : { expected: 'a host and a port such as localhost:7700 or [::1]:7700' }
})

/** One of a few words. Outside the file any case will do if `anyCase`; in the file the exact word is required. */
export function choice<const Words extends readonly string[]>(
  words: Words,
  { anyCase }: { anyCase: boolean },
): Kind<Words[number]> {
  const expected = `one of ${words.join(', ')}`
  const find = (value: unknown) =>
    orExpected<Words[number]>(
      words.find((word) => word === value),
      expected,
    )
  return {
    placeholder: words.join('|'),
    fromText: (value) => find(anyCase ? value.toUpperCase() : value),
    fromToml: find,
  }
}

/** Any number of a few words, separated by commas. Environment only. */
export function choices<const Words extends readonly string[]>(words: Words): Kind<readonly Words[number][]> {
  const expected = `a comma-separated list of ${words.join(', ')}`
  return stringKind('LIST', (value) => {
    const given = value.split(',').map((word) => word.trim())
    const known = given.filter((word): word is Words[number] => words.includes(word))
    return value.trim() === '' ? { value: [] } : orExpected(known.length === given.length ? known : undefined, expected)
  })
}

/** An unsigned integer. Values beyond 2^53 lose their last digits, which no limit needs. */
export function count({ min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number } = {}): Kind<number> {
  const bounds = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`
  const expected = min === 0 && max === Number.POSITIVE_INFINITY ? 'an unsigned integer' : `an integer ${bounds}`
  const within = (value: number) => orExpected(value >= min && value <= max ? value : undefined, expected)
  return {
    placeholder: 'COUNT',
    fromText: (value) => (isDigits(value) ? within(Number(value)) : { expected }),
    fromToml: (value) => (typeof value === 'bigint' ? within(Number(value)) : { expected }),
  }
}

export const seconds = (bounds: { min?: number } = {}): Kind<number> => ({ ...count(bounds), placeholder: 'SECONDS' })

/** A fraction such as 0.1. Environment only. */
export const ratio: Kind<number> = stringKind('RATIO', (value) =>
  orExpected(/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) ? Number(value) : undefined, 'a number such as 0.1'),
)

/** A number of bytes (spec 1 §6.1). The file may write it as a plain integer too. */
export function size({ min, max, expected }: { min?: number; max?: number; expected?: string } = {}): Kind<number> {
  const wanted = expected ?? 'a size such as 100 MB or 2 GiB'
  const within = (bytes: number | undefined): ParsedValue<number> => {
    const fits = bytes !== undefined && bytes >= (min ?? 0) && bytes <= (max ?? Number.POSITIVE_INFINITY)
    return orExpected(fits ? bytes : undefined, wanted)
  }
  return {
    placeholder: 'SIZE',
    fromText: (value) => within(parseSize(value)),
    fromToml: (value) => within(parseSize(typeof value === 'bigint' || typeof value === 'string' ? `${value}` : '')),
  }
}

/** A number of threads; null (also written `unlimited`, empty or 0) leaves it to the default. */
export const threads: Kind<number | null> = {
  placeholder: 'COUNT',
  fromText: (value) =>
    isDigits(value) ? { value: Number(value) || null } : choose(value, { unlimited: null, '': null }, THREADS),
  fromToml: (value) =>
    typeof value === 'bigint' || typeof value === 'string' ? threads.fromText(`${value}`) : { expected: THREADS },
}

/** Seconds between snapshots, null for none: `--schedule-snapshot` alone and `true` in the file mean once a day. */
export const schedule: Kind<number | null> = {
  placeholder: 'SECONDS',
  alone: DAY_SECONDS,
  fromText: (value) => (value === '' ? { value: null } : seconds({ min: 1 }).fromText(value)),
  fromToml: (value) =>
    typeof value === 'boolean' ? { value: value ? DAY_SECONDS : null } : seconds({ min: 1 }).fromToml(value),
}

/** The items of a list of IP networks; `networks.ts` reads them. */
export const networkItems: Kind<readonly string[]> = {
  placeholder: 'NETWORKS',
  fromText: (value) => ({ value: value.split(',') }),
  fromToml: (value) => {
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
    return isList ? { value } : { expected: 'an array of strings, each an IP network, or ["any"]' }
  },
}

/** A list: separated by commas, in the file an array of strings. */
export function items(placeholder: string): Kind<readonly string[]> {
  const expected = 'a comma-separated list'
  const nonEmpty = (given: readonly string[]): ParsedValue<readonly string[]> =>
    given.every((item) => item.trim() !== '') ? { value: given.map((item) => item.trim()) } : { expected }
  return {
    placeholder,
    fromText: (value) => nonEmpty(value.split(',')),
    fromToml: (value) => {
      const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
      return isList ? nonEmpty(value) : { expected: 'an array of strings' }
    },
  }
}

/** It becomes a part of names inside of nats-server. */
export const clusterName: Kind<string> = stringKind<string>('NAME', (value) =>
  /^[\w-]{1,64}$/.test(value) ? { value } : { expected: 'up to 64 letters, digits, "-" and "_"' },
)

const SECRET_PREFIX = 'whsec_'
const SECRET_MIN_BYTES = 24
const SECRET_MAX_BYTES = 64

/** The key of a signing secret as Standard Webhooks writes it: "whsec_" and 24 to 64 bytes in base64. */
export const signingSecret: Kind<Uint8Array> = stringKind('SECRET', (value) => {
  const encoded = value.startsWith(SECRET_PREFIX) ? value.slice(SECRET_PREFIX.length) : value
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? new Uint8Array(Buffer.from(encoded, 'base64')) : undefined
  const fits = key && key.length >= SECRET_MIN_BYTES && key.length <= SECRET_MAX_BYTES
  return orExpected(fits ? key : undefined, `"${SECRET_PREFIX}" followed by 24 to 64 bytes in base64`)
})

/** A kind that the file writes as a string like everybody else. */
function stringKind<T>(placeholder: string, fromText: (value: string) => ParsedValue<T>): Kind<T> {
  const fromToml = (value: unknown): ParsedValue<T> =>
    typeof value === 'string' ? fromText(value) : { expected: `a string (${placeholder.toLowerCase()})` }
  return { placeholder, fromText, fromToml }
}

function choose<T>(word: string, meanings: Readonly<Record<string, T>>, expected: string): ParsedValue<T> {
  return Object.hasOwn(meanings, word) ? { value: meanings[word] as T } : { expected }
}

function orExpected<T>(value: T | undefined, expected: string): ParsedValue<T> {
  return value === undefined ? { expected } : { value }
}

/** Up to 20 digits: the length of the largest 64-bit number. */
function isDigits(value: string): boolean {
  return /^\d{1,20}$/.test(value)
}
