/** Requests that wait for an answer. When the connection breaks none comes any more: they fail at once, to be tried again. */
export class Attempts {
  private readonly waiting = new Set<(reason: Error) => void>()

  run<T>(request: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.add(reject)
      request()
        .then(resolve, reject)
        .finally(() => this.waiting.delete(reject))
    })
  }

  failAll(reason: Error): void {
    for (const reject of this.waiting) reject(reason)
  }
}
