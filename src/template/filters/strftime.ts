/** An instant, and the zone in which it is written. */
export interface Moment {
  readonly ms: number
  /** Of the second. */
  readonly nanoseconds: number
  readonly offsetMinutes: number
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const DAY_MS = 86_400_000
/** Widths in a format beyond this are passed over, so that a short format cannot make a long text. */
const MAX_WIDTH = 64

/** `date` carries local time in its UTC fields. */
interface Local {
  readonly date: Date
  readonly moment: Moment
}

/** What a directive gives: a number with its width and padding, or a text. */
type FormattedNumber = { readonly value: number; readonly width: number; readonly padding: '0' | ' ' } | string

const zeros = (value: number, width = 2): FormattedNumber => ({ value, width, padding: '0' })
const spaces = (value: number, width = 2): FormattedNumber => ({ value, width, padding: ' ' })

const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12
const noon = (date: Date): string => (date.getUTCHours() < 12 ? 'AM' : 'PM')
const dayName = (date: Date): string => DAYS[date.getUTCDay()]!
const monthName = (date: Date): string => MONTHS[date.getUTCMonth()]!

function dayOfYear(date: Date): number {
  return Math.floor((startOfDay(date) - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1
}

function startOfDay(date: Date): number {
  return date.getTime() - (((date.getTime() % DAY_MS) + DAY_MS) % DAY_MS)
}

/** Week of the year, where weeks start on the given day (0 = Sunday). */
function weekOfYear(date: Date, firstDay: number): number {
  const weekday = (date.getUTCDay() - firstDay + 7) % 7
  return Math.floor((dayOfYear(date) - 1 - weekday + 7) / 7)
}

/** ISO 8601: the week belongs to the year that holds its Thursday. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const weekday = (date.getUTCDay() + 6) % 7
  const thursday = new Date(startOfDay(date) + (3 - weekday) * DAY_MS)
  return { year: thursday.getUTCFullYear(), week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 }
}

function zone(offsetMinutes: number, separator: string): string {
  const minutes = Math.abs(offsetMinutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`
}

const directives: Readonly<Record<string, (local: Local) => FormattedNumber>> = {
  Y: ({ date }) => zeros(date.getUTCFullYear(), 4),
  C: ({ date }) => zeros(Math.floor(date.getUTCFullYear() / 100)),
  y: ({ date }) => zeros(((date.getUTCFullYear() % 100) + 100) % 100),
  m: ({ date }) => zeros(date.getUTCMonth() + 1),
  B: ({ date }) => monthName(date),
  b: ({ date }) => monthName(date).slice(0, 3),
  h: ({ date }) => monthName(date).slice(0, 3),
  d: ({ date }) => zeros(date.getUTCDate()),
  e: ({ date }) => spaces(date.getUTCDate()),
  j: ({ date }) => zeros(dayOfYear(date), 3),
  H: ({ date }) => zeros(date.getUTCHours()),
  k: ({ date }) => spaces(date.getUTCHours()),
  I: ({ date }) => zeros(hour12(date)),
  l: ({ date }) => spaces(hour12(date)),
  M: ({ date }) => zeros(date.getUTCMinutes()),
  S: ({ date }) => zeros(date.getUTCSeconds()),
  L: ({ moment }) => zeros(Math.floor(moment.nanoseconds / 1e6), 3),
  N: ({ moment }) => zeros(moment.nanoseconds, 9),
  p: ({ date }) => noon(date),
  P: ({ date }) => noon(date).toLowerCase(),
  A: ({ date }) => dayName(date),
  a: ({ date }) => dayName(date).slice(0, 3),
  u: ({ date }) => zeros(date.getUTCDay() || 7, 1),
  w: ({ date }) => zeros(date.getUTCDay(), 1),
  G: ({ date }) => zeros(isoWeek(date).year, 4),
  g: ({ date }) => zeros(isoWeek(date).year % 100),
  V: ({ date }) => zeros(isoWeek(date).week),
  U: ({ date }) => zeros(weekOfYear(date, 0)),
  W: ({ date }) => zeros(weekOfYear(date, 1)),
  z: ({ moment }) => zone(moment.offsetMinutes, ''),
  Z: ({ moment }) => (moment.offsetMinutes === 0 ? 'UTC' : zone(moment.offsetMinutes, ':')),
  s: ({ moment }) => zeros(Math.floor(moment.ms / 1000), 1),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
}

/** Directives that stand for several others. */
const combinations: Readonly<Record<string, string>> = {
  c: '%a %b %e %T %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  v: '%e-%^b-%Y',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  '+': '%a %b %e %H:%M:%S %Z %Y',
}

const DIRECTIVE = /%([-_0^#]*)(\d{0,4})([A-Za-z%+])/g

/** The moment as a format of `strftime` asks for it. Directives that do not exist are left as they are. */
export function formatMoment(moment: Moment, format: string): string {
  const date = new Date(moment.ms + moment.offsetMinutes * 60_000)
  return formatLocal({ date, moment }, format)
}

function formatLocal(local: Local, format: string): string {
  return format.replace(DIRECTIVE, (whole, flags: string, width: string, letter: string) => {
    if (Object.hasOwn(combinations, letter)) return pad(formatLocal(local, combinations[letter]!), flags, width)
    if (!Object.hasOwn(directives, letter)) return whole
    const written = directives[letter]!(local)
    return typeof written === 'string' ? pad(written, flags, width) : padNumber(written, flags, width)
  })
}

function pad(text: string, flags: string, width: string): string {
  const cased = flags.includes('^') ? text.toUpperCase() : flags.includes('#') ? swapCase(text) : text
  return cased.padStart(widthOf(width, 0), flags.includes('0') ? '0' : ' ')
}

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())

function padNumber({ value, width, padding }: Exclude<FormattedNumber, string>, flags: string, wanted: string): string {
  const digits = String(Math.abs(value))
  const sign = value < 0 ? '-' : ''
  if (flags.includes('-')) return sign + digits
  const filler = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : padding
  return sign + digits.padStart(widthOf(wanted, width), filler)
}

function widthOf(text: string, fallback: number): number {
  const width = text === '' ? fallback : Number(text)
  return width > MAX_WIDTH ? fallback : width
}
