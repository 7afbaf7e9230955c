import { fromPlain, type JsonObject, type JsonValue, print } from '../json/index.js'
import { compileScript, type Script } from './compile-script.js'
import type { Limits } from './limits.js'
import { type Outcome, runScript } from './run-script.js'

// What the tests of this room share: short ways to run a script and to look at its result as JSON text, which tells
// `1` from `1.0`.

export function script(source: string): Script {
  const compiled = compileScript(source)
  if (!compiled.ok) throw new Error(`${source}: ${compiled.reason}`)
  return compiled.script
}

export interface Setting {
  readonly doc?: JsonValue | Record<string, unknown>
  readonly context?: Record<string, unknown>
  readonly limits?: Partial<Limits>
}

export function run(source: string, { doc = {}, context, limits }: Setting = {}): Outcome {
  const options = { doc: fromPlain(doc) as JsonObject, limits }
  return runScript(script(source), context ? { ...options, context: fromPlain(context) as JsonObject } : options)
}

/** The document after the run, as JSON text; `deleted` or `unchanged`; or the reason of the failure. */
export function edit(source: string, setting: Setting = {}): string {
  const outcome = run(source, setting)
  if (outcome.outcome === 'changed') return print(outcome.doc)
  return outcome.outcome === 'failed' ? outcome.reason : outcome.outcome
}

/** The value of statements as JSON text. `functions` are definitions before them. */
export function value(statements: string, functions = ''): string {
  const outcome = run(`${functions} doc.result = { ${statements} };`)
  if (outcome.outcome === 'failed') throw new Error(`${statements}: ${outcome.reason}`)
  return outcome.outcome === 'changed' ? print(outcome.doc.get('result')!) : outcome.outcome
}

/** The reason why statements fail at run time. */
export function failure(statements: string, setting: Setting = {}): string {
  const outcome = run(statements, setting)
  return outcome.outcome === 'failed' ? outcome.reason : `no failure but ${outcome.outcome}`
}

/** The reason why a source does not compile. */
export function refusal(source: string): string {
  const compiled = compileScript(source)
  return compiled.ok ? 'it compiles' : compiled.reason
}
