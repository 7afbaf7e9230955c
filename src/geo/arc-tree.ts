import type { ArcList } from './arc-list.js'
import type { HeightBox } from './sphere.js'

/** Arcs of one leaf. */
const LEAF = 8
/** Numbers of a box: west, east, low, high. */
const STRIDE = 4

/**
 * Finds the arcs near a box without looking at all: neighbours on a path are near each other, so boxes around 8, 16,
 * 32, ... successive arcs form a tree. It holds for the arcs that are in the list when it is made.
 */
export class ArcTree {
  private readonly leafCount: number
  /** Node 1 is the root; below node n are 2n and 2n + 1; leaves begin at `leafCount`. */
  private readonly nodes: Float64Array
  /** Low and high of each arc. */
  private readonly heights: Float64Array

  constructor(private readonly arcs: ArcList) {
    this.leafCount = powerOfTwo(Math.ceil(arcs.length / LEAF))
    this.nodes = new Float64Array(this.leafCount * 2 * STRIDE)
    this.heights = new Float64Array(arcs.length * 2)
    this.fill()
  }

  /** Whether there may be arcs at some longitude of these. */
  isNear(west: number, east: number): boolean {
    return this.nodes[STRIDE]! <= east && this.nodes[STRIDE + 1]! >= west
  }

  /** Whether `test` holds for an arc whose box touches this one. */
  some(box: HeightBox, test: (arc: number) => boolean): boolean {
    return this.someBelow(1, box, test)
  }

  private someBelow(node: number, box: HeightBox, test: (arc: number) => boolean): boolean {
    if (!this.isNodeTouching(node, box)) return false
    if (node >= this.leafCount) return this.someOfLeaf(node - this.leafCount, box, test)
    return this.someBelow(node * 2, box, test) || this.someBelow(node * 2 + 1, box, test)
  }

  private someOfLeaf(leaf: number, box: HeightBox, test: (arc: number) => boolean): boolean {
    const end = Math.min(this.arcs.length, (leaf + 1) * LEAF)
    for (let arc = leaf * LEAF; arc < end; arc++) if (this.isArcTouching(arc, box) && test(arc)) return true
    return false
  }

  private isArcTouching(arc: number, { west, east, low, high }: HeightBox): boolean {
    return (
      this.arcs.west(arc) <= east &&
      this.arcs.east(arc) >= west &&
      this.heights[arc * 2]! <= high &&
      this.heights[arc * 2 + 1]! >= low
    )
  }

  private isNodeTouching(node: number, { west, east, low, high }: HeightBox): boolean {
    const at = node * STRIDE
    const { nodes } = this
    return nodes[at]! <= east && nodes[at + 1]! >= west && nodes[at + 2]! <= high && nodes[at + 3]! >= low
  }

  private fill(): void {
    const { nodes, heights, arcs, leafCount } = this
    for (let at = 0; at < nodes.length; at += STRIDE) nodes.set(NOTHING, at)
    for (let arc = 0; arc < arcs.length; arc++) {
      heights[arc * 2] = arcs.lowest(arc)
      heights[arc * 2 + 1] = arcs.highest(arc)
      const leaf = leafCount + Math.floor(arc / LEAF)
      this.widen(leaf, [arcs.west(arc), arcs.east(arc), heights[arc * 2]!, heights[arc * 2 + 1]!])
    }
    for (let node = leafCount * 2 - 1; node > 1; node--) {
      this.widen(node >>> 1, nodes.subarray(node * STRIDE, (node + 1) * STRIDE))
    }
  }

  private widen(node: number, box: ArrayLike<number>): void {
    const at = node * STRIDE
    const { nodes } = this
    nodes[at] = Math.min(nodes[at]!, box[0]!)
    nodes[at + 1] = Math.max(nodes[at + 1]!, box[1]!)
    nodes[at + 2] = Math.min(nodes[at + 2]!, box[2]!)
    nodes[at + 3] = Math.max(nodes[at + 3]!, box[3]!)
  }
}

/** The box of no arc: it touches none, and others widen it. */
const NOTHING = [Infinity, -Infinity, Infinity, -Infinity]

function powerOfTwo(atLeast: number): number {
  let power = 1
  while (power < atLeast) power *= 2
  return power
}
