import { Bitmap } from '../../bitmap/index.js'
import { compareBytes } from '../../byte-order/index.js'
import { normalizeStoredFacet } from '../../columns/index.js'
import { fromPlain, isObject, type JsonObject, type JsonValue, toDouble } from '../../json/index.js'
import type { FacetReader, FieldFacets, Range } from './facet-reader.js'
import type { GeoBox, GeoPoint, VectorSelection } from './model.js'

/** What the index records about one field of one document (spec 3 §3.3). */
export interface FieldFacts {
  readonly numbers: number[]
  /** Normalized and cut. */
  readonly strings: string[]
  isNull: boolean
  isEmpty: boolean
}

export type DocumentFacts = ReadonlyMap<string, FieldFacts>

type Visit = (name: string, value: JsonValue, isInArray: boolean) => void

const UNVISITED = new Set(['_geo', '_geojson', '_vectors'])

/** Every field of a document with what is recorded about it, the plain way (spec 3 §3.1). */
function factsOf(document: JsonObject): DocumentFacts {
  const facts = new Map<string, FieldFacts>()
  const visit: Visit = (name, value, isInArray) => {
    const field = facts.get(name) ?? { numbers: [], strings: [], isNull: false, isEmpty: false }
    facts.set(name, field)
    record(field, value, isInArray)
  }
  for (const [name, value] of document) {
    if (UNVISITED.has(name)) continue
    visit(name, value, false)
    descend(name, value, { visit, isInArray: false })
  }
  for (const [name, degrees] of Object.entries(positionOf(document) ?? {}))
    visit(`_geo.${name}`, fromPlain(degrees), false)
  return facts
}

function descend(name: string, value: JsonValue, { visit, isInArray }: { visit: Visit; isInArray: boolean }): void {
  if (Array.isArray(value)) {
    if (value.length === 0) visit(name, value, isInArray)
    for (const element of value) {
      if (isObject(element) || Array.isArray(element)) descend(name, element, { visit, isInArray: true })
      else visit(name, element, true)
    }
  } else if (isObject(value)) {
    if (value.size === 0) visit(name, value, isInArray)
    for (const [key, member] of value) {
      visit(`${name}.${key}`, member, false)
      descend(`${name}.${key}`, member, { visit, isInArray: false })
    }
  }
}

function record(field: FieldFacts, value: JsonValue, isInArray: boolean): void {
  const number = toDouble(value)
  if (number !== undefined) field.numbers.push(number)
  if (typeof value === 'boolean') field.strings.push(String(value))
  if (typeof value === 'string' && value !== '') field.strings.push(normalizeStoredFacet(value))
  if (isInArray) return
  if (value === null) field.isNull = true
  if (value === '' || (Array.isArray(value) && value.length === 0) || (isObject(value) && value.size === 0)) {
    field.isEmpty = true
  }
}

function positionOf(document: JsonObject): GeoPoint | undefined {
  const geo = document.get('_geo')
  if (!isObject(geo)) return undefined
  const coordinate = (name: string) => Number(toDouble(geo.get(name) ?? null) ?? geo.get(name))
  return { lat: coordinate('lat'), lng: coordinate('lng') }
}

/** Metres between two points on the sphere of spec 6 §10.1. */
export function distanceMeters(a: GeoPoint, b: GeoPoint): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const hav = (angle: number) => (1 - Math.cos(angle)) / 2
  const lats = Math.cos(radians(a.lat)) * Math.cos(radians(b.lat))
  const h = hav(radians(b.lat - a.lat)) + lats * hav(radians(b.lng - a.lng))
  return Math.round(2 * 6_371_000 * Math.asin(Math.sqrt(h)) * 1000) / 1000
}

function isInBox({ lat, lng }: GeoPoint, { topRight, bottomLeft }: GeoBox): boolean {
  if (lat > topRight.lat || lat < bottomLeft.lat) return false
  if (topRight.lng < bottomLeft.lng) return lng >= bottomLeft.lng || lng <= topRight.lng
  return lng >= bottomLeft.lng && lng <= topRight.lng
}

/** On a flat map, which is near enough for the small polygons of tests. */
function isInPolygon({ lat, lng }: GeoPoint, points: readonly GeoPoint[]): boolean {
  let isInside = false
  for (const [i, a] of points.entries()) {
    const b = points[(i + 1) % points.length]!
    const crosses = a.lat > lat !== b.lat > lat && lng < ((b.lng - a.lng) * (lat - a.lat)) / (b.lat - a.lat) + a.lng
    if (crosses) isInside = !isInside
  }
  return isInside
}

/** GeoJSON points only. */
function shapeOf(document: JsonObject): GeoPoint | undefined {
  const shape = document.get('_geojson')
  const coordinates = isObject(shape) ? shape.get('coordinates') : undefined
  if (!Array.isArray(coordinates)) return undefined
  return { lng: toDouble(coordinates[0]!)!, lat: toDouble(coordinates[1]!)! }
}

function isWithin<T>(value: T, { min, max }: Range<T>, compare: (a: T, b: T) => number): boolean {
  const low = min === undefined ? 1 : compare(value, min.value)
  const high = max === undefined ? -1 : compare(value, max.value)
  return (
    (low > 0 || (low === 0 && min?.isInclusive === true)) && (high < 0 || (high === 0 && max?.isInclusive === true))
  )
}

/**
 * A `FacetReader` over documents in memory that looks at every document for every question. Documents have the docIds
 * 0, 1, 2...; `vectors` answers for their vectors.
 */
export class FacetTwin implements FacetReader {
  readonly documents: readonly JsonObject[]
  readonly facts: readonly DocumentFacts[]

  constructor(
    documents: readonly unknown[],
    private readonly vectors: (selection: VectorSelection) => readonly number[] = () => [],
  ) {
    this.documents = documents.map((document) => fromPlain(document) as JsonObject)
    this.facts = this.documents.map(factsOf)
  }

  docIds(): Bitmap {
    return Bitmap.range(0, this.documents.length)
  }

  field(attribute: string): FieldFacets | undefined {
    if (!this.facts.some((facts) => facts.has(attribute))) return undefined
    const pick = (test: (field: FieldFacts) => boolean): Bitmap =>
      this.pick((docId) => {
        const field = this.facts[docId]!.get(attribute)
        return field !== undefined && test(field)
      })
    const strings = (test: (text: string) => boolean) => pick((field) => field.strings.some(test))
    const numbers = (test: (number: number) => boolean) => pick((field) => field.numbers.some(test))
    return {
      exists: () => pick(() => true),
      isNull: () => pick((field) => field.isNull),
      isEmpty: () => pick((field) => field.isEmpty),
      numberEquals: (value) => numbers((number) => number === value),
      numberRange: (range) => numbers((number) => isWithin(number, range, (a, b) => a - b)),
      stringEquals: (normalized) => strings((text) => text === normalized),
      stringRange: (range) => strings((text) => isWithin(text, range, compareBytes)),
      stringPrefix: (normalized) => strings((text) => text.startsWith(normalized)),
      stringContains: (normalized) => strings((text) => text.includes(normalized)),
    }
  }

  geoWithinRadius(center: GeoPoint, meters: number): Bitmap {
    return this.pickPlace(positionOf, (point) => distanceMeters(point, center) <= meters)
  }

  geoWithinBox(box: GeoBox): Bitmap {
    return this.pickPlace(positionOf, (point) => isInBox(point, box))
  }

  shapesTouchingPolygon(points: readonly GeoPoint[]): Bitmap {
    return this.pickPlace(shapeOf, (point) => isInPolygon(point, points))
  }

  shapesTouchingBox(box: GeoBox): Bitmap {
    return this.pickPlace(shapeOf, (point) => isInBox(point, box))
  }

  withVectors(selection: VectorSelection): Bitmap {
    return Bitmap.of(...this.vectors(selection))
  }

  private pickPlace(place: (document: JsonObject) => GeoPoint | undefined, test: (point: GeoPoint) => boolean): Bitmap {
    return this.pick((docId) => {
      const point = place(this.documents[docId]!)
      return point !== undefined && test(point)
    })
  }

  private pick(test: (docId: number) => boolean): Bitmap {
    return Bitmap.fromSorted(Array.from(this.documents.keys()).filter(test))
  }
}
