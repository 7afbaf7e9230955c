import { setMaxListeners } from 'node:events'

export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Lets go of the signals that were joined: some of them live as long as the server. */
  release(): void
}

/** Aborts when one of the signals does. `AbortSignal.any` would never be forgotten by those that do not. */
export function joinedSignal(signals: readonly AbortSignal[]): JoinedSignal {
  // As many requests listen to the end of the server as there are: that is no leak.
  setMaxListeners(0, ...signals)
  const controller = new AbortController()
  const release = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
  const abort = () => {
    release()
    controller.abort()
  }
  for (const signal of signals) {
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  }
  return { signal: controller.signal, release }
}
