import { setTimeout as sleep } from 'node:timers/promises'

/** When to try again, and when to stop (spec 2 §9.3). */
export interface BackoffLimits {
  readonly firstMs: number
  readonly longestMs: number
  /** After this long a failure is final. */
  readonly giveUpMs: number
}

const GROWTH = 1.5
const JITTER = 0.5

const LIMITS: BackoffLimits = { firstMs: 500, longestMs: 60_000, giveUpMs: 15 * 60_000 }

export interface BackoffOptions {
  readonly limits?: BackoffLimits
  /** Throws when nobody wants the outcome any more. Asked before each try. */
  readonly check: () => void
  readonly random?: () => number
}

/** One try: done, failed for good, or worth another try. */
export type Attempt<T> =
  | { readonly is: 'done'; readonly value: T }
  | { readonly is: 'final'; readonly error: Error }
  | { readonly is: 'again'; readonly error: Error }

/** Tries until it works, with pauses that grow. Throws the last error. */
export async function retrying<T>(attempt: () => Promise<Attempt<T>>, options: BackoffOptions): Promise<T> {
  const { limits = LIMITS, check, random = Math.random } = options
  const start = performance.now()
  let pauseMs = limits.firstMs
  for (;;) {
    check()
    const outcome = await attempt()
    if (outcome.is === 'done') return outcome.value
    if (outcome.is === 'final' || performance.now() - start + pauseMs > limits.giveUpMs) throw outcome.error
    await pause(pauseMs * (1 - JITTER + 2 * JITTER * random()), check)
    pauseMs = Math.min(pauseMs * GROWTH, limits.longestMs)
  }
}

const LOOK_EVERY_MS = 100

/** A pause that ends as soon as nobody waits for what comes after it. */
async function pause(totalMs: number, check: () => void): Promise<void> {
  const end = performance.now() + totalMs
  for (let left = totalMs; left > 0; left = end - performance.now()) {
    await sleep(Math.min(left, LOOK_EVERY_MS))
    check()
  }
}
