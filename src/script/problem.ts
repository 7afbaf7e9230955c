import type { Value } from './value.js'

/** A place in the source text, both counted from 1. */
export interface At {
  readonly line: number
  readonly column: number
}

// None of these is an `Error`: they are outcomes of somebody else's program, need no stack trace, and never leave
// this room.

/** The source text is not a script. */
export class SyntaxProblem {
  constructor(
    readonly message: string,
    readonly at: At,
  ) {}
}

/** Names of the errors a `catch` can look at, as `error` in the caught map (spec 3 §6.5.9). */
export type ProblemKind =
  | 'ErrorVariableNotFound'
  | 'ErrorFunctionNotFound'
  | 'ErrorPropertyNotFound'
  | 'ErrorMismatchDataType'
  | 'ErrorIndexingType'
  | 'ErrorIndexOutOfBounds'
  | 'ErrorArithmetic'
  | 'ErrorAssignmentToConstant'
  | 'ErrorUnboundThis'
  | 'ErrorFor'
  | 'ErrorRuntime'

/** A script did something that cannot be done. Can be caught by the script. */
export class ScriptProblem {
  at: At | undefined

  constructor(
    readonly kind: ProblemKind,
    readonly message: string,
  ) {}
}

/** A value thrown by the script itself. */
export class ThrownValue {
  at: At | undefined

  constructor(readonly value: Value) {}
}

/** A limit of spec 3 §6.1 is exceeded. Never caught by a script. */
export class LimitProblem {
  at: At | undefined

  constructor(readonly message: string) {}
}

/** `exit()`: ends the script normally, from any depth. */
export class ExitRequest {}

// Messages quote names and values of the script, which may be long.
const MAX_MESSAGE_LENGTH = 500

/** A message for users, with the place it is about. */
export function reasonText(message: string, at: At | undefined): string {
  const shown = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message
  return at === undefined ? shown : `${shown} (line ${at.line}, position ${at.column})`
}
