import type { JsonObject } from '../json/index.js'
import type { Script } from './compile-script.js'
import { displayText } from './display.js'
import { costOf, equalsJson, fromJson, toJson } from './json-values.js'
import { DEFAULT_LIMITS, type Limits } from './limits.js'
import { ScriptMachine } from './machine/machine.js'
import { loadVariable } from './machine/variables.js'
import { Meter } from './meter.js'
import { ExitRequest, LimitProblem, reasonText, ScriptProblem, ThrownValue } from './problem.js'
import { isMap, typeName, type Value } from './value.js'

export interface RunOptions {
  readonly doc: JsonObject
  /** Must not change between runs that are given the same object. */
  readonly context?: JsonObject
  readonly limits?: Partial<Limits>
}

export type Outcome =
  | { readonly outcome: 'deleted' }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'changed'; readonly doc: JsonObject }
  | { readonly outcome: 'failed'; readonly reason: string }

/**
 * Runs a script over one document (spec 3 §6.1). `doc` and `context` stay as they are; parts of them may be in the
 * changed document, whose maps are sorted by key. Never throws.
 */
export function runScript(script: Script, { doc, context, limits }: RunOptions): Outcome {
  const allLimits = { ...DEFAULT_LIMITS, ...limits }
  try {
    checkFunctions(script, allLimits)
    return outcomeOf(runMain(script, { doc, context, limits: allLimits }), doc, allLimits)
  } catch (problem) {
    return { outcome: 'failed', reason: reasonOf(problem) }
  }
}

function checkFunctions({ compiled }: Script, limits: Limits): void {
  if (compiled.functions.size > limits.functions) {
    throw new LimitProblem(`there are more than ${limits.functions} functions`)
  }
}

/** The value of `doc` after the run. */
function runMain({ compiled }: Script, { doc, context, limits }: RunOptions & { limits: Limits }): Value {
  const machine = new ScriptMachine(compiled, limits)
  const frame = machine.begin(fromJson(doc), context && contextValue(context))
  try {
    machine.finish()
  } catch (problem) {
    if (!(problem instanceof ExitRequest)) throw problem
  }
  return loadVariable(frame, compiled.main.parameters[0]!)
}

const contextValues = new WeakMap<JsonObject, Value>()

/** Converted once, because it is the same for all documents. */
function contextValue(context: JsonObject): Value {
  const known = contextValues.get(context)
  if (known !== undefined) return known
  const value = fromJson(context)
  contextValues.set(context, value)
  return value
}

function outcomeOf(value: Value, stored: JsonObject, limits: Limits): Outcome {
  if (value === null) return { outcome: 'deleted' }
  if (!isMap(value)) {
    throw new ScriptProblem('ErrorMismatchDataType', `\`doc\` must be a map or (), not ${typeName(value)}`)
  }
  if (equalsJson(value, stored)) return { outcome: 'unchanged' }
  // Values that share parts can be much larger than the work it took to make them. What was there is free.
  const meter = new Meter(limits, costOf(stored))
  return { outcome: 'changed', doc: toJson(value, meter) as JsonObject }
}

function reasonOf(problem: unknown): string {
  if (problem instanceof ScriptProblem || problem instanceof LimitProblem)
    return reasonText(problem.message, problem.at)
  if (problem instanceof ThrownValue) return reasonText(`the script threw ${thrownText(problem.value)}`, problem.at)
  // The stack of the thread, or the longest string that JavaScript can hold.
  if (problem instanceof RangeError) return 'the script needs more memory than it may have'
  throw problem
}

// Enough for any message; what a script throws may be huge.
const REASON_LIMITS: Limits = { ...DEFAULT_LIMITS, operations: 10_000 }

function thrownText(value: Value): string {
  try {
    return displayText(value, new Meter(REASON_LIMITS))
  } catch (problem) {
    if (problem instanceof LimitProblem) return `a value of type ${typeName(value)}`
    throw problem
  }
}
