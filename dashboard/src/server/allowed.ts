import { useEffect, useState } from 'preact/hooks'
import { failureOf, isUnauthorized } from './failure.js'

/**
 * Which of some things the key may do. No route tells, so each is tried with a request that changes nothing, as it
 * lacks something: whoever may not do it is refused before that is looked at.
 */
export function useAllowed<Name extends string>(tries: Readonly<Record<Name, () => Promise<unknown>>>) {
  const [allowed, setAllowed] = useState<ReadonlySet<Name>>(new Set())
  useEffect(() => {
    let isGone = false
    const names = Object.keys(tries) as Name[]
    void Promise.allSettled(names.map((name) => tries[name]())).then((results) => {
      const found = names.filter((_, i) => !isRefused(results[i]!))
      if (!isGone) setAllowed(new Set(found))
    })
    return () => void (isGone = true)
  }, [])
  return allowed
}

const isRefused = (result: PromiseSettledResult<unknown>): boolean =>
  result.status === 'rejected' && isUnauthorized(failureOf(result.reason))
