import type { ArcList } from './arc-list.js'
import { heightOf, isPoleTurn, POLE_HEIGHT, radians, shortWay } from './sphere.js'

/** Longitudes and latitudes in degrees, one after the other. Longitudes from -180 to 180, latitudes from -90 to 90. */
export type Positions = readonly number[]

/** A closed path among the arcs of a list, from `start` up to `end`, and whether the north pole is on its inner side. */
export interface Ring {
  readonly start: number
  readonly end: number
  readonly isNorthInside: boolean
}

/** Appends the arcs of a path, each the short way round; a path of one position is a point. */
export function addPath(arcs: ArcList, positions: Positions): void {
  const walk = new PathWalk(arcs)
  if (positions.length === 2) walk.step(positions, 0, 0)
  for (let i = 2; i < positions.length; i += 2) walk.step(positions, i - 2, i)
}

/**
 * Appends the arcs of a closed path; the last position need not be the first. The inner side is the one without poles;
 * of a path around the earth it is the smaller one.
 */
export function addRing(arcs: ArcList, positions: Positions): Ring {
  const start = arcs.length
  const walk = new PathWalk(arcs)
  for (let i = 2; i < positions.length; i += 2) walk.step(positions, i - 2, i)
  if (positions.length > 0) walk.step(positions, positions.length - 2, 0)
  const isAround = Math.round(walk.turnDegrees / 360) % 2 !== 0
  return { start, end: arcs.length, isNorthInside: isAround && walk.sineArea * walk.turnDegrees > 0 }
}

/** Whether an odd number of arcs stands north of a position: then it is on the other side than the north pole. */
export function isOddNorth(arcs: ArcList, { start, end }: Ring, lng: number, height: number): boolean {
  let isOdd = false
  for (let arc = start; arc < end; arc++) if (isNorthOf(arcs, arc, lng, height)) isOdd = !isOdd
  return isOdd
}

/** East ends do not count: the next arc of the path begins there. */
export function isNorthOf(arcs: ArcList, arc: number, lng: number, height: number): boolean {
  return arcs.west(arc) <= lng && lng < arcs.east(arc) && arcs.heightAt(arc, lng) > height
}

/** Appends arcs step by step, and adds up how the path goes round. */
class PathWalk {
  /** Degrees walked to the east. */
  turnDegrees = 0
  /** The integral of the sine of the latitude along the way, by longitude: more than zero when most is in the north. */
  sineArea = 0

  constructor(private readonly arcs: ArcList) {}

  /** From the position at one place to the one at another. At a pole all longitudes are the same place. */
  step(positions: Positions, from: number, to: number): void {
    const [lngA, lngB] = [positions[from]!, positions[to]!]
    const [heightA, heightB] = [heightOf(positions[from + 1]!), heightOf(positions[to + 1]!)]
    const [isPoleA, isPoleB] = [Math.abs(heightA) >= POLE_HEIGHT, Math.abs(heightB) >= POLE_HEIGHT]
    if (isPoleB) {
      this.arc(lngA, heightA, lngA, heightB)
      this.arc(lngA, heightB, lngB, heightB)
    } else if (isPoleA) {
      this.arc(lngA, heightA, lngB, heightA)
      this.arc(lngB, heightA, lngB, heightB)
    } else if (Math.abs(lngB - lngA) === 180) {
      const pole = heightA + heightB >= 0 ? POLE_HEIGHT : -POLE_HEIGHT
      this.arc(lngA, heightA, lngA, pole)
      this.arc(lngA, pole, lngB, pole)
      this.arc(lngB, pole, lngB, heightB)
    } else this.arc(lngA, heightA, lngB, heightB)
  }

  private arc(lngA: number, heightA: number, lngB: number, heightB: number): void {
    const width = shortWay(lngA, lngB)
    this.turnDegrees += width
    this.sineArea += sineArea(radians(width), heightA, heightB)
    if (Math.abs(lngB - lngA) > 180) {
      this.acrossAntimeridian(lngA, heightA, lngB, heightB)
      return
    }
    this.arcs.push(lngA, heightA, lngB, heightB)
    this.mirror(lngA, heightA, lngB, heightB)
  }

  /** Cuts the arc in two, so that no arc has to be looked for one turn further. */
  private acrossAntimeridian(lngA: number, heightA: number, lngB: number, heightB: number): void {
    const edge = lngA > lngB ? 180 : -180
    const [a, b] = [Math.abs(edge - lngA), Math.abs(edge + lngB)]
    if (a + b === 0) {
      this.arcs.push(edge, heightA, edge, heightB)
      this.arcs.push(-edge, heightA, -edge, heightB)
      return
    }
    const height = isPoleTurn(heightA, heightB)
      ? heightA
      : (heightA * Math.sin(radians(b)) + heightB * Math.sin(radians(a))) / Math.sin(radians(a + b))
    this.arcs.push(lngA, heightA, edge, a === 0 ? heightA : height)
    this.arcs.push(-edge, b === 0 ? heightB : height, lngB, heightB)
  }

  /** What lies on the 180th meridian is on both sides of the map. */
  private mirror(lngA: number, heightA: number, lngB: number, heightB: number): void {
    const [isOnA, isOnB] = [Math.abs(lngA) === 180, Math.abs(lngB) === 180]
    if (isOnA) this.arcs.push(-lngA, heightA, -lngA, isOnB ? heightB : heightA)
    else if (isOnB) this.arcs.push(-lngB, heightB, -lngB, heightB)
  }
}

/** Between an arc and the equator, as if on the unit sphere; with half angles, as spherical excess is (Todhunter, §103). */
function sineArea(width: number, heightA: number, heightB: number): number {
  const [a, b] = [Math.tan(Math.atan(heightA) / 2), Math.tan(Math.atan(heightB) / 2)]
  return 2 * Math.atan((Math.tan(width / 2) * (a + b)) / (1 + a * b))
}
