/**
 * Scripts that edit documents: a small language with an interpreter of its own (spec 3 §6).
 *
 * A script reaches nothing but the values it is given and the built-in functions of the table in `builtins/`. Source
 * text is cut into tokens and parsed into a tree (`syntax/`), compiled into steps (`code/`), and the steps are run by
 * a machine with stacks of its own (`machine/`), so that neither deep recursion nor long work of a script is a danger
 * to the thread. Every step, and all work that grows with the size of values, is counted against a limit.
 */
export { type Compiled, compileScript, type Script } from './compile-script.js'
export { CHECK_DEPTHS, type Depths, type Limits, RUN_DEPTHS } from './limits.js'
export { type Outcome, type RunOptions, runScript } from './run-script.js'
