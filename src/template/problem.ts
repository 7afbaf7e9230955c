interface ProblemOptions extends ErrorOptions {
  /** Said after the reason: what there is instead. */
  readonly hint?: string
}

/** What is wrong with a template or with its rendering. Caught at the door of the room and turned into a value. */
export class TemplateProblem extends Error {
  constructor(
    readonly bareReason: string,
    { hint = '', ...options }: ProblemOptions = {},
  ) {
    super(bareReason + hint, options)
  }
}
