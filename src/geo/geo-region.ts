import { ArcList, doArcsMeet } from './arc-list.js'
import { ArcTree } from './arc-tree.js'
import type { GeoBox } from './distance.js'
import type { GeoPoint } from './geo-point.js'
import { addRing, isNorthOf, type Positions, type Ring } from './path-arcs.js'
import type { ShapeArcs } from './shape-arcs.js'
import { type HeightBox, heightOf, POLE_HEIGHT, wrapLongitude } from './sphere.js'

/** Where a box lies: all of it in the region, none of it, or perhaps some. */
export type Placement = 'inside' | 'outside' | 'border'

/**
 * Wider boxes have corners in between. The recorded server draws one arc, which in the north leads the further beside the
 * parallel the wider a box is, and takes the other way round the earth from half a turn on; at this width it is a degree.
 */
const MAX_ARC_DEGREES = 30

/** What a geo filter asks for, prepared for many shapes: the inner side of a closed path, its border included. */
export class GeoRegion {
  private readonly arcs = new ArcList()
  private readonly tree: ArcTree
  private readonly ring: Ring
  /** On the border. */
  private readonly corner: GeoPoint
  private isNorthInside: boolean

  private constructor(positions: Positions) {
    this.ring = addRing(this.arcs, positions)
    this.tree = new ArcTree(this.arcs)
    this.corner = { lng: positions[0]!, lat: positions[1]! }
    this.isNorthInside = this.ring.isNorthInside
  }

  /**
   * At least one corner, joined by arcs of great circles. The inner side is the one with `inside`, if that is given:
   * otherwise the one without poles, or the smaller one of a path around the earth.
   */
  static polygon(points: readonly GeoPoint[], inside?: GeoPoint): GeoRegion {
    const region = new GeoRegion(points.flatMap(({ lng, lat }) => [wrapLongitude(lng), lat]))
    if (inside !== undefined && !region.contains(wrapLongitude(inside.lng), heightOf(inside.lat)))
      region.isNorthInside = !region.isNorthInside
    return region
  }

  /** Shapes take a box for the polygon of its corners: in the north its sides from west to east rise in the middle. */
  static box({ topRight, bottomLeft }: GeoBox): GeoRegion {
    const span = topRight.lng - bottomLeft.lng
    const width = span < 0 ? span + 360 : span
    const arcs = Math.max(1, Math.ceil(width / MAX_ARC_DEGREES))
    const lngs = Array.from({ length: arcs }, (_, i) => wrapLongitude(bottomLeft.lng + (width * i) / arcs))
    lngs.push(topRight.lng)
    return GeoRegion.polygon([
      ...lngs.map((lng) => ({ lng, lat: bottomLeft.lat })),
      ...lngs.reverse().map((lng) => ({ lng, lat: topRight.lat })),
    ])
  }

  /** Whether a shape and the region have a point in common. */
  touches(shape: ShapeArcs): boolean {
    const { arcs, parts } = shape
    for (let arc = 0; arc < arcs.length; arc++) if (this.isBorderTouching(arcs, arc)) return true
    // From here on no border meets another: each part is inside as a whole, or not at all, and so is the region.
    if (parts.some(({ lng, lat }) => this.contains(lng, heightOf(lat)))) return true
    return shape.contains(named(this.corner.lng), heightOf(this.corner.lat))
  }

  place(box: HeightBox): Placement {
    if (this.tree.some(box, () => true)) return 'border'
    return this.contains(box.west, box.low) ? 'inside' : 'outside'
  }

  private isBorderTouching(arcs: ArcList, arc: number): boolean {
    const [west, east] = [arcs.west(arc), arcs.east(arc)]
    if (this.tree.isNear(west, east)) {
      const box = { west, east, low: arcs.lowest(arc), high: arcs.highest(arc) }
      if (this.tree.some(box, (own) => doArcsMeet(this.arcs, own, arcs, arc))) return true
    }
    return this.isPoleTouching(arcs.westHeight(arc)) || this.isPoleTouching(arcs.eastHeight(arc))
  }

  /** All longitudes meet at a pole. */
  private isPoleTouching(height: number): boolean {
    if (Math.abs(height) < POLE_HEIGHT) return false
    return this.tree.some({ west: -180, east: 180, low: height, high: height }, () => true)
  }

  private contains(lng: number, height: number): boolean {
    const asked = named(lng)
    let isOdd = false
    this.tree.some({ west: asked, east: asked, low: height, high: Infinity }, (arc) => {
      if (isNorthOf(this.arcs, arc, asked, height)) isOdd = !isOdd
      return false
    })
    return isOdd !== this.isNorthInside
  }
}

/** The 180th meridian has two names; inner sides are asked for by the western one. */
const named = (lng: number): number => (lng === 180 ? -180 : lng)
