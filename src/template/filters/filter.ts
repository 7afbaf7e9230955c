import type { Meter } from '../meter.js'
import { TemplateProblem } from '../problem.js'
import { textOf, type Value } from '../value.js'

/** What a filter may use besides its parameters. */
export interface Work {
  readonly meter: Meter
  /** For `date: "now"`, in milliseconds since 1970. */
  readonly nowMs: number
}

/** A filter and how many parameters it takes. Whatever it reads or makes of text, it tells the meter. */
export interface Filter {
  readonly least: number
  readonly most: number
  run(input: Value, values: readonly Value[], work: Work): Value
}

export type Filters = Readonly<Record<string, Filter>>

/** A filter of texts: input and parameters are taken as they would be rendered. */
export function onText(least: number, most: number, run: (text: string, values: readonly string[]) => Value): Filter {
  return {
    least,
    most,
    run(input, values, { meter }) {
      const result = run(
        textOf(input, meter),
        values.map((value) => textOf(value, meter)),
      )
      if (typeof result === 'string') meter.spend(result.length)
      return result
    },
  }
}

/** A whole number given as a parameter, within what JavaScript counts exactly. */
export function wholeNumber(value: Value | undefined, fallback: number): number {
  if (value === undefined) return fallback
  const number = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number') throw new TemplateProblem('a whole number was expected as a parameter')
  return number
}
