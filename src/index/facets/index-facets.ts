import { Bitmap } from '../../bitmap/index.js'
import type { FacetColumn } from '../../columns/index.js'
import { StoredFieldFacets } from '../../columns/index.js'
import type { DocId, FieldId, FieldRegistry } from '../../documents/index.js'
import { storedValue } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import {
  distanceMeters,
  type GeoBox,
  type GeoPoint,
  GeoRegion,
  latitudeSpan,
  longitudeReach,
  readGeoPoint,
  shapesTouching,
  wrapLongitude,
} from '../../geo/index.js'
import { checkBudget } from '../../threads/index.js'
import { documentsWithVectors, type VectorFilter } from '../../vectors/index.js'

/** Positions that are read before it is asked whether there is time for more. */
const POSITIONS_PER_CHECK = 64

/** What filters and sorts read of one index. */
export class IndexFacets {
  private readonly registry: FieldRegistry

  /** With `columns`, which must be of the same commit, some answers come from there. */
  constructor(
    private readonly folder: IndexFolder,
    private readonly columns?: { of(field: FieldId): FacetColumn },
  ) {
    this.registry = folder.readFields()
  }

  docIds(): Bitmap {
    return this.folder.docIds()
  }

  /** Undefined for a name that no document ever had. */
  field(attribute: string): StoredFieldFacets | undefined {
    const id = this.registry.idOf(attribute)
    if (id === undefined) return undefined
    const { columns } = this
    return new StoredFieldFacets(this.folder.databases.facets, id, columns && (() => columns.of(id)))
  }

  /** Whether any document ever had a position: names stay when their documents go. */
  knowsPositions(): boolean {
    return this.field('_geo.lat') !== undefined && this.field('_geo.lng') !== undefined
  }

  /** Documents with a position. */
  withPosition(): Bitmap {
    return this.field('_geo.lat')?.exists() ?? Bitmap.empty()
  }

  position(docId: DocId): GeoPoint | undefined {
    const field = this.registry.idOf('_geo')
    const stored = field === undefined ? undefined : this.folder.value(docId, field)
    const point = stored === undefined ? undefined : readGeoPoint(storedValue(stored))
    return point?.ok ? (point.value ?? undefined) : undefined
  }

  /** Candidates by latitude and longitude, then by their distance. */
  geoWithinRadius(center: GeoPoint, meters: number): Bitmap {
    const { min, max } = latitudeSpan(center, meters)
    const rows = this.field('_geo.lat')?.numberRange({ min: bound(min), max: bound(max) }) ?? Bitmap.empty()
    const columns = this.nearLongitude(center, meters)
    const inside: number[] = []
    let seen = 0
    for (const docId of columns === undefined ? rows : rows.and(columns)) {
      if (++seen % POSITIONS_PER_CHECK === 0) checkBudget()
      const point = this.position(docId as DocId)
      if (point !== undefined && distanceMeters(center, point) <= meters) inside.push(docId)
    }
    return Bitmap.fromSorted(inside)
  }

  /** Undefined when any longitude may be near. */
  private nearLongitude(center: GeoPoint, meters: number): Bitmap | undefined {
    const reach = longitudeReach(center, meters)
    const lng = this.field('_geo.lng')
    if (reach === undefined || lng === undefined) return undefined
    const middle = wrapLongitude(center.lng)
    const spans = [middle - 360, middle, middle + 360].map((turned) =>
      lng.numberRange({ min: bound(turned - reach), max: bound(turned + reach) }),
    )
    // Longitudes may be counted on beyond half a turn: those are all looked at.
    const beyond = [lng.numberRange({ max: beside(-180) }), lng.numberRange({ min: beside(180) })]
    return Bitmap.orMany([...spans, ...beyond])
  }

  geoWithinBox({ topRight, bottomLeft }: GeoBox): Bitmap {
    const [lat, lng] = [this.field('_geo.lat'), this.field('_geo.lng')]
    if (lat === undefined || lng === undefined) return Bitmap.empty()
    const rows = lat.numberRange({ min: bound(bottomLeft.lat), max: bound(topRight.lat) })
    if (bottomLeft.lng <= topRight.lng)
      return rows.and(lng.numberRange({ min: bound(bottomLeft.lng), max: bound(topRight.lng) }))
    // The box crosses the 180th meridian.
    return rows.and(lng.numberRange({ min: bound(bottomLeft.lng) }).or(lng.numberRange({ max: bound(topRight.lng) })))
  }

  /** The polygon has `inside` inside; without it, no pole, or the smaller part of the earth. */
  shapesTouchingPolygon(points: readonly GeoPoint[], inside?: GeoPoint): Bitmap {
    return shapesTouching(this.folder.databases, GeoRegion.polygon(points, inside))
  }

  shapesTouchingBox(box: GeoBox): Bitmap {
    return shapesTouching(this.folder.databases, GeoRegion.box(box))
  }

  withVectors(selection: VectorFilter): Bitmap {
    return documentsWithVectors(this.folder.databases, selection)
  }
}

const bound = (value: number) => ({ value, isInclusive: true })
const beside = (value: number) => ({ value, isInclusive: false })
