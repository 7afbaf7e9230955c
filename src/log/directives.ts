import { type LogLevel, parseLevel } from './level.js'

/** Which records are wanted: a level for everything, and others for modules whose names start in some way. */
export interface Directives {
  readonly level: LogLevel
  /** Longest prefix first, so that the first match is the most specific one. */
  readonly modules: readonly ModuleDirective[]
}

interface ModuleDirective {
  readonly prefix: string
  readonly level: LogLevel
}

/**
 * Reads a comma list of `level`, `name` (that module at TRACE) and `name=level`, or says what is wrong with it
 * (spec 1 §5.6). Without a bare level, only the named modules are wanted. The last of two directives for the same
 * name counts.
 */
export function parseDirectives(
  text: string,
): { readonly ok: true; readonly value: Directives } | { readonly ok: false; readonly reason: string } {
  let level: LogLevel = 'OFF'
  const modules = new Map<string, LogLevel>()
  for (const part of text.split(',')) {
    const directive = parseDirective(part.trim())
    if (typeof directive === 'string') return { ok: false, reason: directive }
    if (directive.prefix === '') level = directive.level
    else modules.set(directive.prefix, directive.level)
  }
  return { ok: true, value: { level, modules: longestFirst(modules) } }
}

/** A directive for everything has an empty prefix. A string is the reason why the text is not a directive. */
function parseDirective(text: string): ModuleDirective | string {
  const [name = '', levelText, ...rest] = text.split('=')
  if (rest.length > 0) return `${JSON.stringify(text)} has more than one "="`
  if (name === '')
    return text === '' ? 'a level, a name or name=level is missing' : `${JSON.stringify(text)} has no name`
  if (levelText === undefined) {
    const level = parseLevel(name)
    return level === undefined ? { prefix: name, level: 'TRACE' } : { prefix: '', level }
  }
  const level = parseLevel(levelText)
  return level === undefined ? `${JSON.stringify(levelText)} is not one of ${LEVEL_NAMES}` : { prefix: name, level }
}

const LEVEL_NAMES = 'off, error, warn, info, debug, trace or 0 to 5'

function longestFirst(modules: ReadonlyMap<string, LogLevel>): ModuleDirective[] {
  const directives = [...modules].map(([prefix, level]) => ({ prefix, level }))
  return directives.sort((a, b) => b.prefix.length - a.prefix.length)
}

/** The least serious level that is wanted of a module. */
export function thresholdOf({ level, modules }: Directives, module: string): LogLevel {
  return modules.find(({ prefix }) => module.startsWith(prefix))?.level ?? level
}
