/** The client went away before its body had arrived: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}
