import { lowerBoundFrom } from '../bitmap/index.js'

/** From this ratio of lengths on, searching the longer list beats walking the shorter one's table. */
const GALLOP_RATIO = 12

/** Positions at which two ascending lists have the same member. Made once and used again and again. */
export class Pairs {
  left = new Uint32Array(1024)
  right = new Uint32Array(1024)
  count = 0
  private readonly table = new PositionTable()

  /**
   * Finds what two ascending lists have in common. Rules ask for the same left list again and again, with one list of a
   * word after the other: so where each of its members stands is kept in a table until another list comes.
   */
  findCommon(left: Uint32Array, right: Uint32Array): void {
    const { table } = this
    this.reset(Math.min(left.length, right.length))
    if (left.length * GALLOP_RATIO < right.length) this.count = gallop(left, right, this.left, this.right)
    else if (right.length * GALLOP_RATIO < left.length && table.owner !== left) {
      this.count = gallop(right, left, this.right, this.left)
    } else {
      table.make(left)
      this.count = table.find(right, this)
    }
  }

  /** The same for a right list in any order, which may name a document again and again. */
  findMembers(left: Uint32Array, right: Uint32Array): void {
    this.reset(right.length)
    this.table.make(left)
    this.count = this.table.find(right, this)
  }

  /** What two ascending lists have in common; the first one should be the shorter one. */
  commonOf(left: Uint32Array, right: Uint32Array): Uint32Array {
    this.findCommon(left, right)
    return gather(left, this.left, this.count)
  }

  /** Room for `count` pairs; what was there is lost. */
  private reset(count: number): void {
    this.count = 0
    if (this.left.length >= count) return
    const size = Math.max(count, this.left.length * 2)
    this.left = new Uint32Array(size)
    this.right = new Uint32Array(size)
  }
}

function gather(list: Uint32Array, at: Uint32Array, count: number): Uint32Array {
  const found = new Uint32Array(count)
  for (let k = 0; k < count; k++) found[k] = list[at[k]!]!
  return found
}

/** Where the members of one list stand, by member. */
class PositionTable {
  owner: Uint32Array = new Uint32Array(0)
  /** Only those of members mean anything. */
  private positions = new Uint32Array(1024)
  /** A bit for each member. Mostly it is not set, and unlike the positions all bits are near the processor. */
  private members = new Uint32Array(1024 / 32)

  make(list: Uint32Array): void {
    if (this.owner === list) return
    this.forget(list.length === 0 ? 0 : list[list.length - 1]! + 1)
    const { positions, members } = this
    for (let i = 0; i < list.length; i++) {
      const member = list[i]!
      positions[member] = i
      members[member >>> 5] = members[member >>> 5]! | (1 << (member & 31))
    }
    this.owner = list
  }

  /** Makes room for members below `limit`. */
  private forget(limit: number): void {
    const { owner, members } = this
    if (this.positions.length >= limit) for (let i = 0; i < owner.length; i++) members[owner[i]! >>> 5] = 0
    else {
      this.positions = new Uint32Array(limit * 2)
      this.members = new Uint32Array((limit * 2 + 31) >>> 5)
    }
  }

  find(list: Uint32Array, { left, right }: Pick<Pairs, 'left' | 'right'>): number {
    const { positions, members } = this
    let count = 0
    for (let i = 0; i < list.length; i++) {
      const wanted = list[i]!
      if (((members[wanted >>> 5]! >>> (wanted & 31)) & 1) === 0) continue
      left[count] = positions[wanted]!
      right[count++] = i
    }
    return count
  }
}

function gallop(few: Uint32Array, many: Uint32Array, fewAt: Uint32Array, manyAt: Uint32Array): number {
  let from = 0
  let count = 0
  for (let i = 0; i < few.length; i++) {
    from = lowerBoundFrom(many, few[i]!, from)
    if (from === many.length) break
    if (many[from] !== few[i]) continue
    fewAt[count] = i
    manyAt[count++] = from
  }
  return count
}
