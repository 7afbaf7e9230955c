import { type ColumnCells, listAt, NO_VALUE } from './column-cells.js'
import type { ValueMarks } from './value-marks.js'

/** Documents `from` up to `to` of a list, whose cells are readable, and what is known of their values. */
export interface MarkedPart {
  readonly docIds: Uint32Array
  readonly from: number
  readonly to: number
  readonly cells: ColumnCells
  /** With room for all values of the documents. */
  readonly marks: ValueMarks
}

/** Writes those that have a marked value to `found`, from `at` on; answers where they end. */
export function copyMarked({ docIds, from, to, ...known }: MarkedPart, found: Uint32Array, at: number): number {
  const { cells, lists } = known.cells
  const { marks } = known.marks
  let count = at
  for (let i = from; i < to; i++) {
    found[count] = docIds[i]!
    count += isMarked(cells[docIds[i]!]!, lists, marks)
  }
  return count
}

/** The same with those that have none, one after the other: the values of each of them are marked. */
export function takeUnmarked({ docIds, from, to, ...known }: MarkedPart, taken: Uint32Array, at: number): number {
  const { cells, lists } = known.cells
  const { marks } = known.marks
  let count = at
  for (let i = from; i < to; i++) {
    const cell = cells[docIds[i]!]!
    if (isMarked(cell, lists, marks) === 1) continue
    taken[count++] = docIds[i]!
    if (cell >= 0) known.marks.add(cell)
    else if (cell !== NO_VALUE) markList(listAt(cell), lists, known.marks)
  }
  return count
}

function isMarked(cell: number, lists: Int32Array, marks: Uint8Array): number {
  if (cell >= 0) return marks[cell]!
  return cell === NO_VALUE ? 0 : hasMarked(listAt(cell), lists, marks)
}

function hasMarked(list: number, lists: Int32Array, marks: Uint8Array): number {
  for (let i = list + lists[list]!; i > list; i--) if (marks[lists[i]!] === 1) return 1
  return 0
}

function markList(list: number, lists: Int32Array, marks: ValueMarks): void {
  for (let i = list + lists[list]!; i > list; i--) marks.add(lists[i]!)
}
