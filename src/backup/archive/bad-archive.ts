/** A dump or snapshot that cannot be read, in a sentence for the operator. */
export class BadArchive extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'BadArchive'
  }
}
