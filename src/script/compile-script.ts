import { compile } from './code/compile.js'
import { type Depths, MAX_SOURCE_LENGTH, RUN_DEPTHS } from './limits.js'
import type { CompiledScript } from './machine/model.js'
import { reasonText, SyntaxProblem } from './problem.js'
import { parse } from './syntax/parse.js'

/** A compiled script, good for any number of runs. What is in it concerns this room only. */
export interface Script {
  readonly compiled: CompiledScript
}

export type Compiled = { readonly ok: true; readonly script: Script } | { readonly ok: false; readonly reason: string }

/**
 * Compiles a script. The reason of a failure names the line and the position in it.
 * Takes time and memory in proportion to the source; never throws.
 */
export function compileScript(source: string, depths: Depths = RUN_DEPTHS): Compiled {
  if (source.length > MAX_SOURCE_LENGTH) {
    return { ok: false, reason: `the script is longer than ${MAX_SOURCE_LENGTH} characters` }
  }
  try {
    return { ok: true, script: { compiled: compile(parse(source, depths)) } }
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return { ok: false, reason: reasonText(problem.message, problem.at) }
    // With generous depths, the stack of the thread may be the tighter limit.
    if (problem instanceof RangeError) return { ok: false, reason: 'expressions are nested too deeply' }
    throw problem
  }
}
