import { isPoleTurn, radians } from './sphere.js'

/** Numbers of an arc: west, east (degrees), height at the west end, height at the east end. */
const STRIDE = 4

/**
 * Arcs of great circles, none across the 180th meridian, west ends first. An arc along a meridian has one longitude and
 * its lower end first; a point is such an arc whose ends are the same. Read with numbers below `length`.
 */
export class ArcList {
  length = 0
  private numbers: Float64Array

  constructor(capacity = 8) {
    this.numbers = new Float64Array(capacity * STRIDE)
  }

  push(lngA: number, heightA: number, lngB: number, heightB: number): void {
    if (this.length * STRIDE === this.numbers.length) this.grow()
    const isInOrder = lngA < lngB || (lngA === lngB && heightA <= heightB)
    const at = this.length++ * STRIDE
    this.numbers[at] = isInOrder ? lngA : lngB
    this.numbers[at + 1] = isInOrder ? lngB : lngA
    this.numbers[at + 2] = isInOrder ? heightA : heightB
    this.numbers[at + 3] = isInOrder ? heightB : heightA
  }

  west(arc: number): number {
    return this.numbers[arc * STRIDE]!
  }

  east(arc: number): number {
    return this.numbers[arc * STRIDE + 1]!
  }

  westHeight(arc: number): number {
    return this.numbers[arc * STRIDE + 2]!
  }

  eastHeight(arc: number): number {
    return this.numbers[arc * STRIDE + 3]!
  }

  isUpright(arc: number): boolean {
    return this.west(arc) === this.east(arc)
  }

  /** Of an arc that is not upright, at one of its longitudes. Exact at its ends. */
  heightAt(arc: number, lng: number): number {
    const [west, east] = [this.west(arc), this.east(arc)]
    const [from, to] = [this.westHeight(arc), this.eastHeight(arc)]
    if (lng <= west || isPoleTurn(from, to)) return from
    if (lng >= east) return to
    return (from * Math.sin(radians(east - lng)) + to * Math.sin(radians(lng - west))) / Math.sin(radians(east - west))
  }

  lowest(arc: number): number {
    return Math.min(this.westHeight(arc), this.eastHeight(arc), -this.bulge(arc, -1))
  }

  highest(arc: number): number {
    return Math.max(this.westHeight(arc), this.eastHeight(arc), this.bulge(arc, 1))
  }

  /** How far an arc, turned over for `side` -1, rises in between when it has a top there, else minus infinity. */
  private bulge(arc: number, side: 1 | -1): number {
    const [from, to] = [side * this.westHeight(arc), side * this.eastHeight(arc)]
    const width = radians(this.east(arc) - this.west(arc))
    if (width === 0 || isPoleTurn(from, to)) return Number.NEGATIVE_INFINITY
    const cosine = Math.cos(width)
    // At x from its west end the arc is at `from * cos(x) + slope * sin(x)`. It has a top if it rises at both ends.
    if (to <= from * cosine || from <= to * cosine) return Number.NEGATIVE_INFINITY
    const slope = (to - from * cosine) / Math.sin(width)
    return Math.hypot(from, slope)
  }

  private grow(): void {
    const grown = new Float64Array(Math.max(STRIDE, this.numbers.length * 2))
    grown.set(this.numbers)
    this.numbers = grown
  }
}

/** Whether two arcs have a point in common, their ends included. */
export function doArcsMeet(a: ArcList, i: number, b: ArcList, j: number): boolean {
  const west = Math.max(a.west(i), b.west(j))
  const east = Math.min(a.east(i), b.east(j))
  if (west > east) return false
  if (a.isUpright(i)) return meetsUpright(b, j, a, i)
  if (b.isUpright(j)) return meetsUpright(a, i, b, j)
  // Great circles cross once in half a turn: between two longitudes either the order changes or they do not meet.
  const before = a.heightAt(i, west) - b.heightAt(j, west)
  const after = a.heightAt(i, east) - b.heightAt(j, east)
  return (before <= 0 && after >= 0) || (before >= 0 && after <= 0)
}

/** The longitude of the upright arc is one of the other's. */
function meetsUpright(arcs: ArcList, arc: number, uprights: ArcList, upright: number): boolean {
  const [low, high] = [uprights.westHeight(upright), uprights.eastHeight(upright)]
  if (arcs.isUpright(arc)) return arcs.westHeight(arc) <= high && arcs.eastHeight(arc) >= low
  const height = arcs.heightAt(arc, uprights.west(upright))
  return height >= low && height <= high
}
