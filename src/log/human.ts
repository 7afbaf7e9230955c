import type { LogLevel } from './level.js'

const COLORS: Readonly<Record<string, number>> = { ERROR: 31, WARN: 33, INFO: 32, DEBUG: 34, TRACE: 35 }
const LEVEL_WIDTH = 5

/** A record as pino wrote it, read back. */
interface LogRecord {
  readonly level: LogLevel
  readonly time: string
  readonly target: string
  readonly message?: string
  readonly [fact: string]: unknown
}

/**
 * A JSON line as a line to read:
 *
 *     2026-11-16T08:30:00.123Z  INFO server: request method=GET path=/indexes status=200
 *
 * Texts from outside cannot break out of their line or switch colours on: control characters are escaped.
 */
export function humanLine(jsonLine: string, { useColor }: { useColor: boolean }): string {
  const { level, time, target, message = '', err, error = err, ...facts }: LogRecord = JSON.parse(jsonLine)
  const label = level.padStart(LEVEL_WIDTH)
  const shownLabel = useColor ? `\u001b[${COLORS[level]}m${label}\u001b[0m` : label
  const pairs = Object.entries(facts).map(([name, value]) => ` ${printable(name)}=${showValue(value)}`)
  return `${time} ${shownLabel} ${target}: ${printable(message)}${pairs.join('')}${showError(error)}\n`
}

function showValue(value: unknown): string {
  const isPlainWord = typeof value === 'string' && /^[^\s"=]+$/.test(value)
  return printable(isPlainWord ? value : JSON.stringify(value))
}

/** An error is a fact like others, with its stack on the lines below. */
function showError(error: unknown): string {
  if (error === undefined) return ''
  if (!isErrorFacts(error)) return ` error=${showValue(error)}`
  const stack = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  const cause = isErrorFacts(error.cause) ? `\n    cause:${showError(error.cause)}` : ''
  return ` error=${showValue(`${error.type}: ${error.message}`)}${stack.map((line) => `\n${printable(line)}`).join('')}${cause}`
}

function isErrorFacts(value: unknown): value is { type: string; message: string; stack?: string; cause?: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value && 'message' in value
}

const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
