/** The bytes are not what the format asks for. `at` counts bytes from the start of the body. */
export class SyntaxProblem extends Error {
  constructor(
    what: string,
    readonly at: number,
  ) {
    super(what)
    this.name = 'SyntaxProblem'
  }
}
