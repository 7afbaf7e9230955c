import { type FieldId, fieldOf, type StoredDocument, storedJson, textOf } from '../documents/index.js'
import { distanceMeters, readGeoPoint } from '../geo/index.js'
import type { GeoPoint, SearchIndex } from '../match/index.js'
import { distanceOrigin, type SortKey } from '../match/index.js'

/** Prints `_geoDistance`: how far away a hit is, in whole metres (spec 6 §10.2). */
export class GeoDistances {
  private constructor(
    private readonly origin: GeoPoint,
    private readonly geo: FieldId,
  ) {}

  /** Null when hits have none: nothing is sorted by distance, or positions are not shown. */
  static prepare(
    { settings, fields }: SearchIndex,
    sort: readonly SortKey[],
    attributesToRetrieve: readonly string[] | null,
  ): GeoDistances | null {
    const origin = distanceOrigin(sort)
    const geo = fields.idOf('_geo')
    if (origin === undefined || geo === undefined) return null
    const { displayedAttributes: displayed } = settings
    const isShown = (name: string) =>
      (displayed === '*' || displayed.includes(name)) &&
      (attributesToRetrieve === null || attributesToRetrieve.some((wanted) => wanted === '*' || wanted === name))
    const isGeoShown = isShown('_geo') || (isShown('_geo.lat') && isShown('_geo.lng'))
    return isGeoShown ? new GeoDistances(origin, geo) : null
  }

  /** Undefined for a document without a usable position. */
  print(document: StoredDocument): string | undefined {
    const stored = fieldOf(document, this.geo)
    if (stored === undefined) return undefined
    const point = readGeoPoint(storedJson(textOf(stored)))
    if (!point.ok || point.value === null) return undefined
    return String(Math.round(distanceMeters(this.origin, point.value)))
  }
}
