/** What one run of a script over one document may use (spec 3 §6.1). */
export interface Limits {
  /** Evaluated steps, plus work that grows with the size of values (see `Meter`). */
  readonly operations: number
  /** Calls of functions and closures inside each other. */
  readonly callDepth: number
  /** Variables alive at the same time in one function. */
  readonly variables: number
  /** Functions defined with `fn`. */
  readonly functions: number
  /** Length of one string in UTF-16 units. The default is 1 GiB of memory, just above what JavaScript can hold. */
  readonly textLength: number
  /** Entries of one array or map. */
  readonly entries: number
}

export const DEFAULT_LIMITS: Limits = {
  operations: 1_000_000,
  callDepth: 1000,
  variables: 1000,
  functions: 30,
  textLength: 2 ** 29,
  entries: 10_000,
}

/** How deep expressions and blocks may be nested in the source text. */
export interface Depths {
  /** At the top level of the script. */
  readonly script: number
  /** Inside `fn`. */
  readonly function: number
}

/** Depths for running a script in a task (spec 3 §6.1). */
export const RUN_DEPTHS: Depths = { script: 100, function: 1000 }

/** The stricter depths of the check made while the request waits (spec 3 §6.1). */
export const CHECK_DEPTHS: Depths = { script: 64, function: 32 }

/** Longest source text. Not in the spec: bounds the memory of a compiled script, and no script comes near it. */
export const MAX_SOURCE_LENGTH = 1_000_000
