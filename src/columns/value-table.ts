import { type ColumnRow, type ColumnValue, compareValues, type TextValue } from './column-value.js'

/** The different values of some documents in their order, and the place of each. */
export class ValueTable {
  readonly numbers: readonly number[]
  readonly texts: readonly TextValue[]
  /** For each value of each document its ordinal: ordinals are given in the order in which values are met. */
  readonly ordinals: readonly number[]
  /** For each ordinal the place of its value: numbers first, then texts. */
  readonly places: Uint32Array

  constructor(rows: readonly (ColumnRow | undefined)[]) {
    const { values, ordinals } = meetValues(rows)
    const order = Array.from(values.keys()).sort((a, b) => compareValues(values[a]!, values[b]!))
    this.ordinals = ordinals
    this.places = new Uint32Array(values.length)
    for (let place = 0; place < order.length; place++) this.places[order[place]!] = place
    const sorted = order.map((ordinal) => values[ordinal]!)
    const numberCount = sorted.findIndex((value) => typeof value !== 'number')
    const textsFrom = numberCount === -1 ? sorted.length : numberCount
    this.numbers = sorted.slice(0, textsFrom) as number[]
    this.texts = sorted.slice(textsFrom) as TextValue[]
  }

  get size(): number {
    return this.places.length
  }
}

function meetValues(rows: readonly (ColumnRow | undefined)[]): { values: ColumnValue[]; ordinals: number[] } {
  const values: ColumnValue[] = []
  const ordinals: number[] = []
  // The spelling decides the norm. What is too long to be spelled has its norm only.
  const known = new Map<number | string, number>()
  const knownLong = new Map<string, number>()
  const meet = (map: Map<number | string, number>, key: number | string, value: ColumnValue): void => {
    let ordinal = map.get(key)
    if (ordinal === undefined) {
      ordinal = values.push(value) - 1
      map.set(key, ordinal)
    }
    ordinals.push(ordinal)
  }
  for (const row of rows) {
    if (row === undefined) continue
    for (const value of row) {
      if (typeof value === 'number') meet(known, value, value)
      else if (value.spelling !== null) meet(known, value.spelling, value)
      else meet(knownLong, value.norm, value)
    }
  }
  return { values, ordinals }
}
