import { ArcList } from './arc-list.js'
import { addPath, addRing, isOddNorth, type Positions, type Ring } from './path-arcs.js'
import type { Shape } from './shape.js'

/** One connected piece of a shape: a point, a line or a polygon. */
export interface ShapePart {
  /** Its arcs, from `start` up to `end`. */
  readonly start: number
  readonly end: number
  /** A position that belongs to it. */
  readonly lng: number
  readonly lat: number
  readonly isPoint: boolean
  /** Of a polygon: the outer one, then holes. Else empty. */
  readonly rings: readonly Ring[]
}

/** A shape as the arcs it is bounded by. Parts without positions are left out. */
export class ShapeArcs {
  readonly arcs = new ArcList()
  readonly parts: readonly ShapePart[]

  constructor({ points, lines, polygons }: Shape) {
    const parts: ShapePart[] = []
    for (let i = 0; i < points.length; i += 2) parts.push(this.line(points.slice(i, i + 2)))
    for (const line of lines) if (line.length > 0) parts.push(this.line(line))
    for (const rings of polygons) if ((rings[0]?.length ?? 0) > 0) parts.push(this.polygon(rings))
    this.parts = parts
  }

  /** Whether a position is in one of the polygons and in none of its holes. */
  contains(lng: number, height: number): boolean {
    return this.parts.some(({ rings }) => {
      const [outer, ...holes] = rings
      return outer !== undefined && this.isIn(outer, lng, height) && !holes.some((hole) => this.isIn(hole, lng, height))
    })
  }

  private isIn(ring: Ring, lng: number, height: number): boolean {
    return isOddNorth(this.arcs, ring, lng, height) !== ring.isNorthInside
  }

  private line(positions: Positions): ShapePart {
    const start = this.arcs.length
    addPath(this.arcs, positions)
    return this.part(start, positions, [])
  }

  private polygon(polygon: readonly Positions[]): ShapePart {
    const start = this.arcs.length
    const rings = polygon.map((positions) => addRing(this.arcs, positions))
    return this.part(start, polygon[0]!, rings)
  }

  private part(start: number, positions: Positions, rings: readonly Ring[]): ShapePart {
    return {
      start,
      end: this.arcs.length,
      lng: positions[0]!,
      lat: positions[1]!,
      isPoint: positions.length === 2,
      rings,
    }
  }
}
