import { quoted } from '../excerpt.js'

/** The four families of failures that the interface knows. */
export type ErrorType = 'invalid_request' | 'auth' | 'internal' | 'system'

export interface Row<Facts extends readonly never[] | readonly unknown[]> {
  readonly type: ErrorType
  readonly status: number
  readonly message: (...facts: Facts) => string
}

export const row = <Facts extends readonly unknown[]>(
  type: ErrorType,
  status: number,
  message: (...facts: Facts) => string,
): Row<Facts> => ({ type, status, message })

/** For rows whose sentence is built where the value is checked: it says where, what was expected and what was found. */
export const detailed = (detail: string): string => detail

export const list = (names: readonly string[]): string => names.map((name) => quoted(name)).join(', ')
