import type { Runtime } from '../member/runtime.js'
import type { VirtualTime } from './virtual-time.fixture.js'

export interface ProcessOptions {
  readonly name: string
  readonly time: VirtualTime
  readonly isListening: (url: string) => Promise<boolean>
  /** Hears that the process has died in the middle of something. */
  readonly onDeath: () => void
}

/** A process that may die or stand still between any two of its steps. Whatever it waits for does not go on then. */
export class Process implements Runtime {
  isDead = false
  /** Stopped as by SIGSTOP: its steps are late. */
  stoppedUntil = 0
  private stepsToLive = Number.POSITIVE_INFINITY
  private ids = 0

  constructor(private readonly options: ProcessOptions) {}

  get isStopped(): boolean {
    return this.stoppedUntil > this.options.time.now
  }

  kill(): void {
    if (this.isDead) return
    this.isDead = true
    this.options.onDeath()
  }

  killAfter(steps: number): void {
    this.stepsToLive = steps
  }

  diesAtThisStep(): boolean {
    if (this.stepsToLive-- <= 0) this.kill()
    return this.isDead
  }

  readonly now = (): number => this.options.time.now

  readonly after = (ms: number, callback: () => void): (() => void) => {
    let isCancelled = false
    this.options.time.after(ms, () => isCancelled || callback(), this)
    return () => {
      isCancelled = true
    }
  }

  pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end)
        resolve()
      }
      signal.addEventListener('abort', end)
      this.options.time.after(ms, end, this)
    })
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.options.time.after(ms, resolve, this))
  }

  readonly newId = (): string => `${this.options.name}-${++this.ids}`

  readonly isListening = (url: string): Promise<boolean> => this.options.isListening(url)
}
