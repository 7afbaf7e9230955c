import type { StartTimer } from '../../outbound/index.js'
import { providerError } from './problem.js'

/** Models think for minutes before the first word; one that says nothing for longer is gone. */
const LONGEST_SILENCE_MS = 10 * 60 * 1000

const LONGEST_FAREWELL_MS = 100

/** Watches over one answer: aborts it when nothing came for too long, or when the conversation ends. */
export class SilenceWatch {
  private readonly controller = new AbortController()
  private stopTimer = () => {}
  private isSilent = false
  private limitMs = LONGEST_SILENCE_MS

  constructor(
    private readonly conversation: AbortSignal,
    private readonly startTimer: StartTimer,
  ) {
    conversation.addEventListener('abort', this.abort)
    if (conversation.aborted) this.abort()
    this.listen()
  }

  /** The conversation ended: nobody waits for the answer. */
  get isLeft(): boolean {
    return this.conversation.aborted
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The next word is waited for. */
  listen(): void {
    this.stopTimer = this.startTimer(this.limitMs, () => {
      this.isSilent = true
      this.abort()
    })
  }

  /** Something came, and is being worked on. */
  rest(): void {
    this.stopTimer()
  }

  /** All was said: the connection is only waited for so that it can be used again. */
  hurry(): void {
    this.limitMs = LONGEST_FAREWELL_MS
  }

  throwIfSilent(): void {
    if (!this.isSilent) return
    throw providerError('remote_timeout', `The provider sent nothing for ${LONGEST_SILENCE_MS / 1000} seconds.`)
  }

  end(): void {
    this.stopTimer()
    this.conversation.removeEventListener('abort', this.abort)
  }

  private readonly abort = (): void => this.controller.abort()
}
