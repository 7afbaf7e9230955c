/** Costs of one condition for each document of a bucket, plus one; `NO_EDGE` where it is not met. */
export type Column = Uint16Array

export interface Combinations {
  /** One number for each combination of values that occurs. */
  readonly column: Uint32Array
  /** All numbers are below: no more than `MAX_TABLE`, or than a few times the members. */
  readonly combinations: number
}

/** Numbers the combinations of values that columns have for members of a bucket: the same number for the same values. */
export function numberCombinations(columns: readonly Column[], size: number): Combinations {
  return size <= FEW ? numberFew(columns, size) : combine(columns, size)
}

/** Members of a bucket that are compared one with the other: tables for what may occur would be larger than they are. */
const FEW = 16

/** Gives the combinations small numbers in order of appearance. */
function numberFew(columns: readonly Column[], size: number): Combinations {
  const column = new Uint32Array(size)
  let combinations = 0
  for (let i = 0; i < size; i++) {
    const same = firstSame(columns, i)
    column[i] = same === i ? combinations++ : column[same]!
  }
  return { column, combinations }
}

/** The first member that has the same values as the one at `i`. */
function firstSame(columns: readonly Column[], i: number): number {
  for (let first = 0; first < i; first++) {
    let c = 0
    while (c < columns.length && columns[c]![first] === columns[c]![i]) c++
    if (c === columns.length) return first
  }
  return i
}

/** Up to this many combinations are numbered without asking which of them occur. */
const MAX_TABLE = 1 << 14

/** Tables of what may occur are at most so many times as large as the bucket, whatever the values are. */
const TABLE_SHARE = 8

/**
 * Makes one column of several. Of the same kind even when there is one only: code is compiled for it once.
 * Values may be thousands in each column (attributes), so that what could occur is a product that no table can hold.
 */
function combine(columns: readonly Column[], size: number): Combinations {
  const maxTable = Math.max(MAX_TABLE, TABLE_SHARE * size)
  let combined: Combinations = { column: new Uint32Array(columns[0]!), combinations: largest(columns[0]!) + 1 }
  for (let i = 1; i < columns.length; i++) {
    const radix = largest(columns[i]!) + 1
    if (radix === 1) continue
    if (combined.combinations * radix > MAX_TABLE) combined = renumber(combined, size)
    combined =
      combined.combinations * radix > maxTable
        ? pairs(combined, radix, columns[i]!)
        : times(combined, radix, columns[i]!)
  }
  return combined
}

export function largest(column: Column | Uint32Array): number {
  let max = 0
  for (let i = 0; i < column.length; i++) if (column[i]! > max) max = column[i]!
  return max
}

function times({ column: before, combinations }: Combinations, radix: number, values: Column): Combinations {
  const column = new Uint32Array(values.length)
  for (let i = 0; i < values.length; i++) column[i] = before[i]! * radix + values[i]!
  return { column, combinations: combinations * radix }
}

/** Gives the combinations that occur small numbers in order of appearance. */
function renumber({ column: before }: Combinations, size: number): Combinations {
  const known = new Map<number, number>()
  const column = new Uint32Array(size)
  for (let i = 0; i < size; i++) column[i] = numberIn(known, before[i]!)
  return { column, combinations: known.size }
}

/** `times` and `renumber` in one: the product would not fit into 32 bits, but into those that a number has (32 + 16). */
function pairs({ column: before }: Combinations, radix: number, values: Column): Combinations {
  const known = new Map<number, number>()
  const column = new Uint32Array(values.length)
  for (let i = 0; i < values.length; i++) column[i] = numberIn(known, before[i]! * radix + values[i]!)
  return { column, combinations: known.size }
}

function numberIn(known: Map<number, number>, value: number): number {
  const number = known.get(value) ?? known.size
  if (number === known.size) known.set(value, number)
  return number
}
