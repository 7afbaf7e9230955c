import { useEffect } from 'preact/hooks'
import { type Loading, useLoaded } from './loaded.js'

/**
 * Looks again and again, some time after each answer, so that a slow server is never asked before it has answered.
 * `paceMs` says how long to wait after a value, undefined for a failure; it ends where that says nothing.
 */
export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  paceMs: (latest: T | undefined) => number | undefined,
): Loading<T> {
  const loading = useLoaded(load, inputs)
  const { loaded, isLoading, reload } = loading
  useEffect(() => {
    const ms = isLoading ? undefined : paceMs(loaded.state === 'full' ? loaded.value : undefined)
    if (ms === undefined) return
    const timer = setInterval(() => !document.hidden && reload(), ms)
    return () => clearInterval(timer)
  }, [isLoading, loaded])
  return loading
}
