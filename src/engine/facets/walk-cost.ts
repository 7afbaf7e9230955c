/**
 * What it costs to look at the documents of a value, in units of one document whose values are looked at. Measured on
 * 290,000 films: a unit takes some 20 ns.
 */

/** To read what is stored: for each part of the index, and for each document. */
export const COST_PER_PART = 800
const COST_PER_DOCUMENT = 2
const PART_BITS = 16

export const readingCost = (size: number, parts: number): number =>
  COST_PER_PART * Math.min(size, parts) + COST_PER_DOCUMENT * size

/** To count those of them that are candidates: of few one by one, of many in bits. */
const COST_OF_COUNTING = 20
const COUNTED_PER_COST = 8
const COST_OF_BITS = 200

export const countingCost = (size: number, parts: number): number =>
  COST_OF_COUNTING + Math.min(size / COUNTED_PER_COST, COST_OF_BITS * parts)

/** Documents of a value are stored in as many parts at most. */
export const partsUpTo = (lastDocId: number): number => (lastDocId >>> PART_BITS) + 1
