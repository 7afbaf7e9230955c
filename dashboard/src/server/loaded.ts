import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, failureOf, isAborted } from './failure.js'

/** What is being asked for: every view has a face for each state. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'full'; readonly value: T }

export interface Loading<T> {
  readonly loaded: Loaded<T>
  /** The last value, also while the next one comes. */
  readonly latest: T | undefined
  readonly isLoading: boolean
  reload(): void
}

/** Asks when it is first drawn, and again when one of `inputs` changes; what was asked before is given up. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  { everyMs }: { everyMs?: number } = {},
): Loading<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' })
  const [isLoading, setLoading] = useState(true)
  const [turn, setTurn] = useState(0)
  const latest = useRef<T | undefined>(undefined)

  // Whoever calls names what `load` depends on.
  useEffect(() => {
    const controller = new AbortController()
    setLoading(true)
    load(controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return
        latest.current = value
        setLoaded({ state: 'full', value })
        setLoading(false)
      },
      (error) => {
        if (controller.signal.aborted || isAborted(error)) return
        setLoaded({ state: 'failed', failure: failureOf(error) })
        setLoading(false)
      },
    )
    return () => controller.abort()
  }, [...inputs, turn])

  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => {
      if (!document.hidden) setTurn((before) => before + 1)
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])

  return { loaded, latest: latest.current, isLoading, reload: () => setTurn((before) => before + 1) }
}
