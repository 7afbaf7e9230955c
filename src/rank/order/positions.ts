import type { GeoPoint, SearchIndex } from '../../match/index.js'
import { columnOf } from './columns-of.js'

interface Degrees {
  readonly lats: Float64Array
  readonly lngs: Float64Array
}

/** Where documents are. */
export class Positions {
  readonly lats: Float64Array
  readonly lngs: Float64Array

  /** Of the documents `docIds`, ascending. */
  constructor(
    readonly docIds: Uint32Array,
    { lats, lngs }: Degrees,
  ) {
    this.lats = lats
    this.lngs = lngs
  }

  pointAt(index: number): GeoPoint {
    return { lat: this.lats[index]!, lng: this.lngs[index]! }
  }
}

/** Each position as a point on the unit sphere too: comparing distances then takes no trigonometry. */
export class SpherePositions extends Positions {
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly zs: Float64Array

  /** What `known` says of the same positions is taken over. */
  constructor(docIds: Uint32Array, degrees: Degrees, known?: SpherePositions) {
    super(docIds, degrees)
    this.xs = new Float64Array(docIds.length)
    this.ys = new Float64Array(docIds.length)
    this.zs = new Float64Array(docIds.length)
    for (let i = 0; i < docIds.length; i++) {
      if (known !== undefined && known.lats[i] === this.lats[i] && known.lngs[i] === this.lngs[i]) this.copy(i, known)
      else this.place(i)
    }
  }

  private copy(i: number, { xs, ys, zs }: SpherePositions): void {
    this.xs[i] = xs[i]!
    this.ys[i] = ys[i]!
    this.zs[i] = zs[i]!
  }

  private place(i: number): void {
    const [x, y, z] = onUnitSphere(this.pointAt(i))
    this.xs[i] = x
    this.ys[i] = y
    this.zs[i] = z
  }
}

const RADIANS = Math.PI / 180

export function onUnitSphere({ lat, lng }: GeoPoint): [x: number, y: number, z: number] {
  const radius = Math.cos(lat * RADIANS)
  return [radius * Math.cos(lng * RADIANS), radius * Math.sin(lng * RADIANS), Math.sin(lat * RADIANS)]
}

type PlacedIndex = Pick<SearchIndex, 'folder' | 'carry' | 'fields' | 'facets'>

const POSITIONS = Symbol('positions')

/** The positions of all documents that have one. Kept, since making them takes a while. */
export function allPositions(index: PlacedIndex): SpherePositions {
  return index.carry<SpherePositions>(POSITIONS, (before) => {
    const docIds = index.facets.withPosition().toArray()
    return new SpherePositions(docIds, degreesOf(index, docIds), before)
  })
}

/** The positions of those of a few documents that have one. */
export function positionsOf(index: Omit<PlacedIndex, 'facets'>, universe: Uint32Array): Positions {
  const { lats } = degreesOf(index, universe)
  const docIds = universe.filter((_, i) => !Number.isNaN(lats[i]!))
  return new Positions(docIds, degreesOf(index, docIds))
}

/** NaN for documents without position. */
function degreesOf(index: Omit<PlacedIndex, 'facets'>, docIds: Uint32Array): Degrees {
  const read = (attribute: string): Float64Array =>
    columnOf(index, attribute)?.numbers(docIds) ?? new Float64Array(docIds.length).fill(Number.NaN)
  return { lats: read('_geo.lat'), lngs: read('_geo.lng') }
}
