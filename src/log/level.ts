/** How serious a record is, and OFF for none at all: from silent to talkative. */
export const LEVELS = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const
export type LogLevel = (typeof LEVELS)[number]

/** Whether a record of level `record` is wanted where `threshold` is the least serious level to show. */
export function isWanted(record: LogLevel, threshold: LogLevel): boolean {
  return LEVELS.indexOf(record) <= LEVELS.indexOf(threshold)
}

/** The level of which more records are wanted. */
export function moreTalkative(a: LogLevel, b: LogLevel): LogLevel {
  return isWanted(a, b) ? b : a
}

/** Reads a level by name in any case, or by its number from 0 (OFF) to 5 (TRACE). */
export function parseLevel(text: string): LogLevel | undefined {
  const byNumber = /^[0-5]$/.test(text) ? LEVELS[Number(text)] : undefined
  return byNumber ?? LEVELS.find((level) => level === text.toUpperCase())
}
