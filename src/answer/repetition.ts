import type { SearchQuery } from '../engine/index.js'
import { newUid, UID_LENGTH } from './request-uid.js'
import type { SearchContext } from './search-context.js'

/** What the answer to a request depends on beside it, and where another one would say something else all the same. */
export interface Repetition {
  /** Of the indexes that were searched: at others the answer may be another one altogether. */
  readonly versions: readonly IndexVersion[]
  /** Of each result, in the order of the body. */
  readonly changes: readonly ChangingBytes[]
}

export type IndexVersion = readonly [uid: string, version: number]

/** What a result says of the request, in bytes of the body. */
export interface ChangingBytes {
  /** The time that the search took, first digit and behind the last one. */
  readonly timeAt: number
  readonly timeEnd: number
  /** The uid of the request, behind the time. */
  readonly uidAt: number
}

/** The answer of a search depends on nothing but the request and the index, beside what `ChangingBytes` are for. */
export function isRepeatable(query: SearchQuery, context: SearchContext): boolean {
  const isPlain = query.hybrid === null && query.personalize === null && !query.showPerformanceDetails
  const isAlone = context.network === null && context.rules.length === 0 && !context.gates.foreignKeys
  return isPlain && isAlone && !context.isProxied && !context.includesMetadata
}

/** Of results that stand one behind the other. Each index was at one version: nothing was waited for between them. */
export function joinRepetitions(parts: readonly (Repetition | undefined)[]): Repetition | undefined {
  const repeatable = parts.filter((part) => part !== undefined)
  if (repeatable.length < parts.length) return undefined
  return {
    versions: [...new Map(repeatable.flatMap(({ versions }) => versions))],
    changes: repeatable.flatMap(({ changes }) => changes),
  }
}

const ZERO = 0x30

/** The same answer to another request, which took no time to find. */
export function repeatAnswer(body: Uint8Array, { changes }: Repetition): Uint8Array {
  const requestUid = newUid()
  const surplus = changes.reduce((sum, { timeAt, timeEnd }) => sum + timeEnd - timeAt - 1, 0)
  const repeated = Buffer.allocUnsafeSlow(body.length - surplus)
  let read = 0
  let written = 0
  const copyUntil = (end: number) => {
    repeated.set(body.subarray(read, end), written)
    written += end - read
    read = end
  }
  for (const { timeAt, timeEnd, uidAt } of changes) {
    copyUntil(timeAt)
    repeated[written++] = ZERO
    read = timeEnd
    copyUntil(uidAt)
    written += repeated.write(requestUid, written, UID_LENGTH, 'latin1')
    read += UID_LENGTH
  }
  copyUntil(body.length)
  return repeated
}
