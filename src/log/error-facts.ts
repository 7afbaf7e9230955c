/** Causes of causes beyond this are left out, so that a cycle ends too. */
const MAX_CAUSES = 4

/** What a record keeps of an error: no other members, since clients hang whole requests on their errors. */
export interface ErrorFacts {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly cause?: ErrorFacts
}

/** Errors become plain facts; texts and everything else stay as they are. */
export function describeError(error: unknown): unknown {
  return error instanceof Error ? factsOf(error, MAX_CAUSES) : error
}

function factsOf(error: Error, causesLeft: number): ErrorFacts {
  const cause = error.cause instanceof Error && causesLeft > 0 ? factsOf(error.cause, causesLeft - 1) : undefined
  return { type: error.name, message: error.message, stack: error.stack, cause }
}
