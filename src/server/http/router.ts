import createFindMyWay from 'find-my-way'
import { MAX_HEADER_BYTES } from './broken-request.js'
import type { Pattern } from './pattern.js'

/** A path that some routes have, and the decoded values of its parameters. */
export interface Match {
  readonly pattern: Pattern
  readonly params: Readonly<Record<string, string>>
}

export type Router = (path: string) => Match | undefined

/**
 * Finds the pattern of a normalized path; fixed names go before parameters. A path whose method is wrong must not fall
 * through to a pattern with parameters (spec 1 §1.6), so methods are looked at afterwards: the router has one tree of
 * paths, under the name of one method.
 */
export function createRouter(patterns: readonly Pattern[]): Router {
  const paths = createFindMyWay({ maxParamLength: MAX_HEADER_BYTES })
  for (const pattern of patterns) {
    const path = pattern.path.replace(/\{(\w+)\}/g, ':$1')
    paths.on(TREE, path, notCalled, pattern)
  }
  return (path) => {
    const found = paths.find(TREE, path)
    // Every parameter of a path that matched has a value, and what is stored is what was stored above.
    return found === null ? undefined : { pattern: found.store as Pattern, params: found.params as Match['params'] }
  }
}

const TREE = 'GET'

/** `find` hands back what is stored beside it. */
function notCalled(): never {
  throw new Error('paths are looked up, not followed')
}
