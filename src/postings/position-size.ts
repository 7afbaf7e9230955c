import { FIELD_ESCAPE, isFirstPosition, POSITION_SHIFT } from './posting-block.js'

/** How many bytes the positions of a document take. */
export function sizeOfPositions(positions: Uint32Array, from: number, to: number): number {
  let size = 0
  let before = 0
  for (let i = from; i < to; i++) {
    size += sizeBehind(before, positions[i]!)
    before = positions[i]!
  }
  return size
}

/** The same in a block with first positions. */
export function sizeWithFirsts(positions: Uint32Array, from: number, to: number): number {
  let [firsts, firstBefore] = [0, 0]
  let [others, otherBefore] = [0, 0]
  for (let i = from; i < to; i++) {
    const position = positions[i]!
    if (isFirstPosition(positions, i, from)) {
      firsts += sizeBehind(firstBefore, position)
      firstBefore = position
    } else {
      others += sizeBehind(otherBefore, position)
      otherBefore = position
    }
  }
  return firsts + Math.max(1, others)
}

function sizeBehind(before: number, position: number): number {
  const fields = (position >>> 16) - (before >>> 16)
  const distance = fields === 0 ? position - before : position & 0xffff
  const size = varintSize(distance << POSITION_SHIFT)
  return fields >= FIELD_ESCAPE ? size + varintSize(fields - FIELD_ESCAPE) : size
}

export function varintSize(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x20_0000) return 3
  return value < 0x1000_0000 ? 4 : 5
}
