import { distanceMeters } from '../../geo/index.js'
import { KeyHeap } from '../../heap/index.js'
import type { Direction, GeoPoint } from '../../match/index.js'
import { onUnitSphere, type SpherePositions } from './positions.js'

export interface GeoOrder {
  readonly origin: GeoPoint
  readonly direction: Direction
}

export interface Place {
  readonly docId: number
  readonly point: GeoPoint
  /** Metres from the origin. */
  readonly distance: number
}

const EARTH_RADIUS_METERS = 6_371_000

/**
 * How far the distance of spec 6 §10.1 and the length of the straight line can be apart: near the origin and opposite of
 * it the cosines in the former cost some decimetres.
 */
const ERROR_METERS = 0.5

/**
 * Documents by their exact distance, nearest first, or farthest first. All are compared by the straight line through the
 * earth, which takes no trigonometry; the exact distance is computed only for those whose turn it is.
 */
export class NearestPlaces {
  private readonly sign: 1 | -1
  /** Places in `indexes`, by the square of the length of the straight line, negative when the farthest come first. */
  private readonly heap: KeyHeap
  /** Places whose exact distance is known, in order. */
  private pending: Place[] = []

  /** `indexes` of those of the positions that count. */
  constructor(
    private readonly positions: SpherePositions,
    private readonly order: GeoOrder,
    private readonly indexes: Uint32Array,
  ) {
    this.sign = order.direction === 'asc' ? 1 : -1
    this.heap = KeyHeap.of(this.keys())
  }

  /** The places that are left, in order: the first one, all within `reachMeters` of it, and maybe some more. */
  next(reachMeters: number): readonly Place[] {
    const { pending, heap } = this
    const nearest = Math.min(this.signedDistance(pending[0]), this.heapDistance() + ERROR_METERS)
    const limit = nearest + reachMeters + ERROR_METERS
    const before = pending.length
    while (heap.first !== -1 && this.heapDistance() <= limit) {
      pending.push(this.placeAt(heap.first))
      heap.removeFirst()
    }
    if (pending.length > before) pending.sort((a, b) => this.compare(a, b))
    return pending
  }

  /** The first `count` are done. */
  drop(count: number): void {
    this.pending = this.pending.slice(count)
  }

  private keys(): Float64Array {
    const { indexes, sign } = this
    const keys = new Float64Array(indexes.length)
    const { xs, ys, zs } = this.positions
    const [x, y, z] = onUnitSphere(this.order.origin)
    for (let i = 0; i < indexes.length; i++) {
      const at = indexes[i]!
      const dx = xs[at]! - x
      const dy = ys[at]! - y
      const dz = zs[at]! - z
      keys[i] = sign * (dx * dx + dy * dy + dz * dz)
    }
    return keys
  }

  /** About how far the next of the heap is; negative when the farthest come first. */
  private heapDistance(): number {
    if (this.heap.first === -1) return Number.POSITIVE_INFINITY
    const chord = Math.sqrt(Math.abs(this.heap.firstKey))
    return this.sign * 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, chord / 2))
  }

  private signedDistance(place: Place | undefined): number {
    return place === undefined ? Number.POSITIVE_INFINITY : this.sign * place.distance
  }

  private placeAt(i: number): Place {
    const point = this.positions.pointAt(this.indexes[i]!)
    const docId = this.positions.docIds[this.indexes[i]!]!
    return { docId, point, distance: distanceMeters(this.order.origin, point) }
  }

  private compare(a: Place, b: Place): number {
    return this.sign * (a.distance - b.distance || a.docId - b.docId)
  }
}
