import type { ArcList } from './arc-list.js'
import type { ShapeArcs, ShapePart } from './shape-arcs.js'
import { type HeightBox, heightOf, latitudeOf } from './sphere.js'

/**
 * The map in cells: the whole of it is the cell of level 0, and each cell has four of the next level. A cell is a
 * number: its place on the curve through all cells of the last level (Morton, 1966), where cells inside of a cell
 * follow each other, and its level in the lowest bits.
 *
 * ```
 * 2 3     place of a cell: of the cells it lies in, from the largest on, two bits each, and zeros up to 32 bits
 * 0 1     cell: place * 32 + level
 * ```
 */
export type Cell = number & { readonly __unit: 'cell' }

/** Cells of this level are 600 metres wide at the equator and 300 high. */
export const MAX_LEVEL = 16
/** More than there are levels. */
const LEVELS = 32

export const WORLD = 0 as Cell

export const levelOf = (cell: Cell): number => cell % LEVELS
export const placeOf = (cell: Cell): number => Math.floor(cell / LEVELS)

/** How many places a cell takes. */
export const placesOf = (cell: Cell): number => placesAt(levelOf(cell))
export const placesAt = (level: number): number => 4 ** (MAX_LEVEL - level)

/** The cell of a level above that a cell lies in. */
export function cellAround(cell: Cell, level: number): Cell {
  const size = placesAt(level)
  return cellAt(Math.floor(placeOf(cell) / size) * size, level)
}

export function childrenOf(cell: Cell): readonly Cell[] {
  const step = placesOf(cell) / 4
  return [0, 1, 2, 3].map((i) => cellAt(placeOf(cell) + i * step, levelOf(cell) + 1))
}

export function boxOf(cell: Cell): HeightBox {
  const [column, row] = columnAndRow(cell)
  const count = 2 ** levelOf(cell)
  const lng = (index: number) => edgeOf(index, 360, count)
  const height = (index: number) => heightOf(edgeOf(index, 180, count))
  return { west: lng(column), east: lng(column + 1), low: height(row), high: height(row + 1) }
}

/** Cells of a shape, and whether it is sure that it has a point in the cell. */
export type ShapeCells = ReadonlyMap<Cell, boolean>

/** What is kept of a shape with many parts; larger cells take the place of small ones then. */
const MAX_CELLS = 64

/**
 * A few cells that hold all of a shape: for each part those that its box touches, of a level at which they are at most
 * two by two; for a point the one it is in.
 */
export function cellsOf(shape: ShapeArcs): ShapeCells {
  const cells = new Map<Cell, boolean>()
  for (const part of shape.parts) addPart(cells, shape.arcs, part)
  for (let level = MAX_LEVEL; cells.size > MAX_CELLS; level--) enlarge(cells, level)
  return cells
}

function addPart(cells: Map<Cell, boolean>, arcs: ArcList, part: ShapePart): void {
  const boxes = part.isPoint ? [] : partBoxes(arcs, part)
  const level = boxes.reduce((least, box) => Math.min(least, levelFor(box)), MAX_LEVEL)
  for (const box of boxes) addBox(cells, box, level)
  cells.set(cellOf(part.lng, part.lat, level), true)
}

/** Degrees. */
interface DegreeBox {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/**
 * One box, or two for a part on both sides of the 180th meridian. A polygon around a pole has arcs at all longitudes:
 * the only cell for it is the whole map, pole included.
 */
function partBoxes(arcs: ArcList, { start, end }: ShapePart): DegreeBox[] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const sides = [0, 1].map(() => ({ west: Infinity, east: -Infinity }))
  for (let arc = start; arc < end; arc++) {
    const side = sides[arcs.west(arc) < 0 ? 0 : 1]!
    side.west = Math.min(side.west, arcs.west(arc))
    side.east = Math.max(side.east, arcs.east(arc))
    low = Math.min(low, arcs.lowest(arc))
    high = Math.max(high, arcs.highest(arc))
  }
  const [south, north] = [latitudeOf(low) - ROUNDING, latitudeOf(high) + ROUNDING]
  return spans(sides[0]!, sides[1]!).map((span) => ({ ...span, south, north }))
}

interface Span {
  readonly west: number
  readonly east: number
}

/** What begins in the west and in the east of the map: one span if they meet in the middle, as all paths across it do. */
function spans(western: Span, eastern: Span): Span[] {
  if (western.east >= eastern.west) return [{ west: western.west, east: Math.max(western.east, eastern.east) }]
  return [western, eastern].filter(({ west, east }) => west <= east)
}

/** Degrees by which a latitude that came from a height may be off, and more. */
const ROUNDING = 1e-9

/** Cells are as large as the box at least. */
function levelFor({ west, east, south, north }: DegreeBox): number {
  const wide = Math.floor(Math.log2(360 / (east - west)))
  const high = Math.floor(Math.log2(180 / (north - south)))
  return Math.max(0, Math.min(MAX_LEVEL, wide, high))
}

function addBox(cells: Map<Cell, boolean>, { west, east, south, north }: DegreeBox, level: number): void {
  const [left, right] = [columnOf(west, level), columnOf(east, level)]
  const [bottom, top] = [rowOf(south, level), rowOf(north, level)]
  for (let row = bottom; row <= top; row++) {
    for (let column = left; column <= right; column++) {
      const cell = cellIn(column, row, level)
      if (!cells.has(cell)) cells.set(cell, false)
    }
  }
}

/** Puts those that the cells of a level lie in in their place. */
function enlarge(cells: Map<Cell, boolean>, level: number): void {
  for (const [cell, isSure] of [...cells]) {
    if (levelOf(cell) !== level) continue
    const larger = cellAround(cell, level - 1)
    cells.delete(cell)
    cells.set(larger, isSure || cells.get(larger) === true)
  }
}

export function cellOf(lng: number, lat: number, level: number): Cell {
  return cellIn(columnOf(lng, level), rowOf(lat, level), level)
}

const columnOf = (lng: number, level: number): number => indexOf(lng, 360, 2 ** level)
const rowOf = (lat: number, level: number): number => indexOf(lat, 180, 2 ** level)

/** Which of the `count` equal parts of `whole` degrees around zero. */
function indexOf(degrees: number, whole: number, count: number): number {
  const index = Math.max(0, Math.min(count - 1, Math.floor((degrees / whole + 0.5) * count)))
  // Rounding may lift what is just below the edge onto it.
  return index > 0 && degrees < edgeOf(index, whole, count) ? index - 1 : index
}

/** Where a part begins. Exact: there are powers of two of them. */
const edgeOf = (index: number, whole: number, count: number): number => (index / count) * whole - whole / 2

function cellIn(column: number, row: number, level: number): Cell {
  let place = 0
  for (let bit = level - 1; bit >= 0; bit--) place = place * 4 + ((row >>> bit) & 1) * 2 + ((column >>> bit) & 1)
  return cellAt(place * 4 ** (MAX_LEVEL - level), level)
}

const cellAt = (place: number, level: number): Cell => (place * LEVELS + level) as Cell

function columnAndRow(cell: Cell): readonly [number, number] {
  let [column, row] = [0, 0]
  let place = placeOf(cell) / placesOf(cell)
  for (let bit = 0; bit < levelOf(cell); bit++) {
    column += (place % 2) * 2 ** bit
    row += (Math.floor(place / 2) % 2) * 2 ** bit
    place = Math.floor(place / 4)
  }
  return [column, row]
}
