import { isDeepStrictEqual } from 'node:util'

/** Whether two parts of settings have the same content. The order of lists counts, that of maps does not. */
export function isSame(before: unknown, after: unknown): boolean {
  return before === after || isDeepStrictEqual(before, after)
}
