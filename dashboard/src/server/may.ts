import { useEffect, useState } from 'preact/hooks'
import { ask, type Method } from './client.js'
import { failureOf, isUnauthorized } from './failure.js'
import { apiKey } from './session.js'

/** A request that is wrong in itself, so that it does nothing whoever sends it. */
export interface WrongRequest {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
}

/**
 * What of this the key may do. The server looks at the key before it looks at the request: one that is refused for
 * something else than its key would have been allowed.
 */
export function useMay<Name extends string>(wrong: Readonly<Record<Name, WrongRequest>>): ReadonlySet<Name> {
  const [may, setMay] = useState<ReadonlySet<Name>>(new Set())
  const key = apiKey.value
  useEffect(() => {
    let isCurrent = true
    const names = Object.keys(wrong) as Name[]
    void Promise.all(names.map((name) => isAllowed(wrong[name]))).then((allowed) => {
      if (isCurrent) setMay(new Set(names.filter((_, i) => allowed[i])))
    })
    return () => {
      isCurrent = false
    }
  }, [key])
  return may
}

async function isAllowed({ method, path, body }: WrongRequest): Promise<boolean> {
  try {
    await ask(method, path, body === undefined ? {} : { body })
    return true
  } catch (error) {
    const failure = failureOf(error)
    return failure.status !== undefined && !isUnauthorized(failure)
  }
}
