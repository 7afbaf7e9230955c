/** Lines beyond this many characters are dropped while the reader is slower than the writer. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024

/** Lines on their way from whoever writes them at any time to the one reader who takes them when it can. */
export class LineQueue implements AsyncIterableIterator<string> {
  private lines: string[] = []
  private waitingCharacters = 0
  private isEnded = false
  private wake: (() => void) | undefined

  /** `onLeave` is called when the reader has gone, be it in the middle of waiting. */
  constructor(private readonly onLeave: () => void) {}

  write(line: string): void {
    if (this.isEnded || this.waitingCharacters + line.length > MAX_WAITING_CHARACTERS) return
    this.lines.push(line)
    this.waitingCharacters += line.length
    this.wake?.()
  }

  /** What was written before is still read. */
  end(): void {
    this.isEnded = true
    this.wake?.()
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    while (this.lines.length === 0 && !this.isEnded) await this.nextChange()
    return this.lines.length > 0 ? { done: false, value: this.takeAll() } : { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.lines = []
    this.end()
    this.onLeave()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private takeAll(): string {
    const all = this.lines.join('')
    this.lines = []
    this.waitingCharacters = 0
    return all
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }
}
