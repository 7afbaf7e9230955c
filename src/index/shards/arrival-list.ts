/**
 * When documents came that one server hands to another, so that they keep their places among equals: numbers of
 * `arrivals.ts` as text, each as the difference to the one before, in base 36. Documents of one task that follow each other
 * take two characters each.
 *
 * ```
 * 100, 103, 101  is  2s.3.-2
 * ```
 */
const BASE = 36
const BETWEEN = '.'

export class ArrivalList {
  private readonly differences: string[] = []
  private last = 0
  length = 0

  add(arrival: number): void {
    const difference = (arrival - this.last).toString(BASE)
    this.differences.push(difference)
    this.length += difference.length + BETWEEN.length
    this.last = arrival
  }

  /** Hands out the text, and begins anew. */
  take(): string {
    const text = this.differences.join(BETWEEN)
    this.differences.length = 0
    this.last = 0
    this.length = 0
    return text
  }
}

/** Undefined for what is something else than a list of `count` numbers. */
export function readArrivals(text: string, count: number): readonly number[] | undefined {
  const parts = text === '' ? [] : text.split(BETWEEN)
  let last = 0
  const arrivals = parts.map((part) => {
    last += /^-?[0-9a-z]{1,11}$/.test(part) ? Number.parseInt(part, BASE) : Number.NaN
    return last
  })
  return arrivals.length === count && arrivals.every(Number.isSafeInteger) ? arrivals : undefined
}
