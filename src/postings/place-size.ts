import { FIELD_ESCAPE, isFirstPlace, POSITION_SHIFT } from './posting-block.js'

/** How many bytes the places of a document take. */
export function sizeOfPlaces(places: Uint32Array, from: number, to: number): number {
  let size = 0
  let before = 0
  for (let i = from; i < to; i++) {
    size += sizeBehind(before, places[i]!)
    before = places[i]!
  }
  return size
}

/** The same in a block with first places. */
export function sizeWithFirsts(places: Uint32Array, from: number, to: number): number {
  let [firsts, firstBefore] = [0, 0]
  let [others, otherBefore] = [0, 0]
  for (let i = from; i < to; i++) {
    const place = places[i]!
    if (isFirstPlace(places, i, from)) {
      firsts += sizeBehind(firstBefore, place)
      firstBefore = place
    } else {
      others += sizeBehind(otherBefore, place)
      otherBefore = place
    }
  }
  return firsts + Math.max(1, others)
}

function sizeBehind(before: number, place: number): number {
  const fields = (place >>> 16) - (before >>> 16)
  const position = fields === 0 ? place - before : place & 0xffff
  const size = varintSize(position << POSITION_SHIFT)
  return fields >= FIELD_ESCAPE ? size + varintSize(fields - FIELD_ESCAPE) : size
}

export function varintSize(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x20_0000) return 3
  return value < 0x1000_0000 ? 4 : 5
}
