import { isInteger, textOf, type Value } from '../value.js'
import type { Filters, Work } from './filter.js'
import { formatMoment, type Moment } from './strftime.js'

const SECOND_MS = 1000
/** Beyond these instants JavaScript has no dates. */
const MAX_DATE_MS = 8.64e15

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const ISO = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?: ?([+-]\d{4}))?$/
const DAY_FIRST = /^(\d{1,2}) ([A-Za-z]{3,9}) (\d{4}) (\d\d):(\d\d):(\d\d)(?: ?([+-]\d{4}))?$/
const MONTH_FIRST = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d)(?: ?([+-]\d{4}))?$/

/** The date that a value stands for, or undefined (spec 3 §7.2). */
function momentOf(value: Value, nowMs: number): Moment | undefined {
  if (isInteger(value)) return fromUnix(Number(value))
  if (typeof value !== 'string' || value.length > 64) return undefined
  if (value === 'now' || value === 'today')
    return { ms: nowMs, nanoseconds: (nowMs % SECOND_MS) * 1e6, offsetMinutes: 0 }
  if (/^-?\d{1,15}$/.test(value)) return fromUnix(Number(value))
  return fromIso(value) ?? fromDayFirst(value) ?? fromMonthFirst(value)
}

function fromUnix(seconds: number): Moment | undefined {
  const ms = seconds * SECOND_MS
  return Math.abs(ms) <= MAX_DATE_MS ? { ms, nanoseconds: 0, offsetMinutes: 0 } : undefined
}

interface Parts {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  readonly time: readonly number[]
  readonly fraction?: string | undefined
  readonly offset: string | undefined
}

function fromIso(text: string): Moment | undefined {
  const found = ISO.exec(text)
  if (!found) return undefined
  const [year, month, day, ...time] = found.slice(1, 7).map(Number) as [number, number, number, ...number[]]
  return fromParts({ year, month, day, time, fraction: found[7], offset: found[8] })
}

function fromDayFirst(text: string): Moment | undefined {
  const found = DAY_FIRST.exec(text)
  if (!found) return undefined
  const month = MONTHS.indexOf(found[2]!.slice(0, 3).toLowerCase()) + 1
  const time = found.slice(4, 7).map(Number)
  return fromParts({ year: Number(found[3]), month, day: Number(found[1]), time, offset: found[7] })
}

function fromMonthFirst(text: string): Moment | undefined {
  const found = MONTH_FIRST.exec(text)
  if (!found) return undefined
  const time = found.slice(4, 7).map(Number)
  return fromParts({ year: Number(found[3]), month: Number(found[1]), day: Number(found[2]), time, offset: found[7] })
}

function fromParts({ year, month, day, time, fraction, offset }: Parts): Moment | undefined {
  const [hour = 0, minute = 0, second = 0] = time
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDay = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined
  date.setUTCHours(hour, minute, second)
  const offsetMinutes = offset === undefined ? 0 : offsetOf(offset)
  const nanoseconds = Number((fraction ?? '').padEnd(9, '0'))
  return { ms: date.getTime() - offsetMinutes * 60 * SECOND_MS, nanoseconds, offsetMinutes }
}

function offsetOf(text: string): number {
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(3))
  return text.startsWith('-') ? -minutes : minutes
}

function date(input: Value, [format]: readonly Value[], { meter, nowMs }: Work): Value {
  const pattern = textOf(format!, meter)
  const moment = pattern === '' ? undefined : momentOf(input, nowMs)
  if (!moment) return input
  const text = formatMoment(moment, pattern)
  meter.spend(text.length)
  return text
}

export const dateFilters: Filters = { date: { least: 1, most: 1, run: date } }
