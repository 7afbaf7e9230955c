import type { DocId } from '../documents/index.js'
import { type Cell, cellAround, levelOf, placeOf, placesAt, placesOf, type ShapeCells } from './shape-cells.js'

/*
 * The database `shapeCells` maps
 *
 * ```
 * place of a cell(4 bytes) its level(1 byte) kind(1 byte) high 16 bits of the docIds(2 bytes)  to  bitmap
 * ```
 *
 * numbers big-endian. All that lies in a cell, whatever its level, is one range of keys, and a change rewrites the part
 * of a bitmap it falls into. Bitmaps have a version of their own; how cells are numbered belongs to that of the index.
 */
const kinds = {
  /** The shape has its box in the cell, among others. */
  possible: 0,
  /** It has a point in the cell. */
  sure: 1,
  /** The same for a smaller cell in this one, on some levels: so that what lies in a large region is read in one piece. */
  possibleBelow: 2,
  sureBelow: 3,
} as const

const SUM_LEVELS = [4, 7, 10]

/** One of the sets that a document with a shape is in: a cell and a kind, as a number. */
export type CellFact = number & { readonly __unit: 'cellFact' }

/** All sets of a document. Of two kinds of one cell it has the surer one. */
export function factsOf(cells: ShapeCells): ReadonlySet<CellFact> {
  const facts = new Set<CellFact>()
  for (const [cell, isSure] of cells) facts.add(factOf(cell, isSure ? kinds.sure : kinds.possible))
  for (const [sum, isSure] of sumsOf(cells)) facts.add(factOf(sum, isSure ? kinds.sureBelow : kinds.possibleBelow))
  return facts
}

function sumsOf(cells: ShapeCells): Map<Cell, boolean> {
  const sums = new Map<Cell, boolean>()
  for (const [cell, isSure] of cells) {
    for (const level of SUM_LEVELS) {
      if (level >= levelOf(cell)) break
      const sum = cellAround(cell, level)
      sums.set(sum, isSure || sums.get(sum) === true)
    }
  }
  return sums
}

const KINDS = 4

const factOf = (cell: Cell, kind: number): CellFact => (cell * KINDS + kind) as CellFact

export function factKey(fact: CellFact, docId: DocId): Buffer {
  const cell = Math.floor(fact / KINDS) as Cell
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32BE(placeOf(cell), 0)
  key[4] = levelOf(cell)
  key[5] = fact % KINDS
  key.writeUInt16BE(docId >>> 16, 6)
  return key
}

export const isSureKey = (key: Uint8Array): boolean => key[5] === kinds.sure || key[5] === kinds.sureBelow
export const isSumKey = (key: Uint8Array): boolean => key[5]! >= kinds.possibleBelow

/** The keys of a cell itself, without those of what is below. */
export function keysOf(cell: Cell): { start: Buffer; end: Buffer } {
  const [place, level] = [placeOf(cell), levelOf(cell)]
  return { start: startKey(place, level), end: Buffer.concat([startKey(place, level), Buffer.of(kinds.possibleBelow)]) }
}

/**
 * The keys of a cell and of all cells in it. Larger cells at the same place come before `start`, and those at the places
 * behind it begin at its end or later, being as wide as the cell at least.
 */
export function keysWithin(cell: Cell): { start: Buffer; end?: Buffer } {
  return { start: startKey(placeOf(cell), levelOf(cell)), ...endOf(placeOf(cell) + placesOf(cell)) }
}

/** The start of the keys behind all those in the cell of a key; undefined behind the last. */
export function keyBehind(key: Buffer): Buffer | undefined {
  return endOf(key.readUInt32BE(0) + placesAt(key[4]!)).end
}

const endOf = (place: number): { end?: Buffer } => (place >= 2 ** 32 ? {} : { end: startKey(place, 0) })

function startKey(place: number, level: number): Buffer {
  const key = Buffer.allocUnsafe(5)
  key.writeUInt32BE(place, 0)
  key[4] = level
  return key
}
