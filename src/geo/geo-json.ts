import { isObject, type JsonObject, type JsonValue, printStart, toDouble } from '../json/index.js'
import type { Shape } from './shape.js'
import { wrapLongitude } from './sphere.js'

export type ReadShape = { readonly ok: true; readonly value: Shape } | { readonly ok: false; readonly reason: string }

/** What a `_geojson` value draws (spec 3 §8.2). Longitudes are wrapped and latitudes end at the poles. */
export function readGeoJson(value: JsonValue): ReadShape {
  const reading = new Reading()
  const reason = reading.geoJson(value)
  return reason === undefined ? { ok: true, value: reading } : { ok: false, reason }
}

/** Why a value is not what it must be; undefined when it is. */
type Problem = string | undefined

/** Gathers the parts of a value. Methods take where they are, for messages; the depth of JSON bounds their calls. */
class Reading implements Shape {
  readonly points: number[] = []
  readonly lines: number[][] = []
  readonly polygons: number[][][] = []

  geoJson(value: JsonValue): Problem {
    if (!isObject(value)) return expected('a GeoJSON object', '', value)
    if (value.get('type') === 'FeatureCollection') return this.collection(value)
    if (value.get('type') === 'Feature') return this.feature(value, '', false)
    return this.geometry(value, '')
  }

  private collection(collection: JsonObject): Problem {
    const features = collection.get('features')
    if (!Array.isArray(features)) return expected('an array', 'features', features)
    return boxProblem(collection, '') ?? first(features, (item, i) => this.feature(item, `features[${i}]`, true))
  }

  private feature(feature: JsonValue, path: string, isInCollection: boolean): Problem {
    if (!isObject(feature) || feature.get('type') !== 'Feature') return expected('a Feature', path, feature)
    const problem = memberProblem(feature, path) ?? boxProblem(feature, path)
    if (problem !== undefined) return problem
    const geometry = feature.get('geometry')
    // Features of a collection may be nowhere.
    return geometry === null && isInCollection ? undefined : this.geometry(geometry, below(path, 'geometry'))
  }

  private geometry(geometry: JsonValue | undefined, path: string): Problem {
    if (!isObject(geometry)) return expected('a geometry', path, geometry)
    if (geometry.get('type') === 'GeometryCollection')
      return boxProblem(geometry, path) ?? this.geometries(geometry, path)
    return boxProblem(geometry, path) ?? this.coordinates(geometry, below(path, 'coordinates'))
  }

  private geometries(collection: JsonObject, path: string): Problem {
    const geometries = collection.get('geometries')
    const at = below(path, 'geometries')
    if (!Array.isArray(geometries)) return expected('an array', at, geometries)
    return first(geometries, (geometry, i) => this.geometry(geometry, `${at}[${i}]`))
  }

  private coordinates(geometry: JsonObject, path: string): Problem {
    const coordinates = geometry.get('coordinates')
    switch (geometry.get('type')) {
      case 'Point':
        return readPosition(coordinates, path, this.points)
      case 'MultiPoint':
        return readPositions(coordinates, path, this.points)
      case 'LineString':
        return this.line(coordinates, path)
      case 'MultiLineString':
        return items(coordinates, path, (line, at) => this.line(line, at))
      case 'Polygon':
        return this.polygon(coordinates, path)
      case 'MultiPolygon':
        return items(coordinates, path, (polygon, at) => this.polygon(polygon, at))
      default:
        return expected('a type of GeoJSON', path.replace(/coordinates$/, 'type'), geometry.get('type'))
    }
  }

  private line(coordinates: JsonValue | undefined, path: string): Problem {
    const line: number[] = []
    this.lines.push(line)
    return readPositions(coordinates, path, line)
  }

  private polygon(coordinates: JsonValue | undefined, path: string): Problem {
    const rings: number[][] = []
    this.polygons.push(rings)
    return items(coordinates, path, (ring, at) => {
      const positions: number[] = []
      rings.push(positions)
      return readPositions(ring, at, positions)
    })
  }
}

function readPositions(value: JsonValue | undefined, path: string, into: number[]): Problem {
  return items(value, path, (position, at) => readPosition(position, at, into))
}

/** Longitude and latitude; what follows them, mostly an altitude, must be numbers too. */
function readPosition(value: JsonValue | undefined, path: string, into: number[]): Problem {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isNumber))
    return expected('a position of at least two numbers', path, value)
  into.push(wrapLongitude(toDouble(value[0]!)!), Math.max(-90, Math.min(90, toDouble(value[1]!)!)))
  return undefined
}

/** Members of a feature that are no geometry. */
function memberProblem(feature: JsonObject, path: string): Problem {
  const [properties, id] = [feature.get('properties') ?? null, feature.get('id')]
  if (properties !== null && !isObject(properties))
    return expected('an object or null', below(path, 'properties'), properties)
  if (id !== undefined && typeof id !== 'string' && !isNumber(id))
    return expected('text or a number', below(path, 'id'), id)
  return undefined
}

function boxProblem(object: JsonObject, path: string): Problem {
  const box = object.get('bbox')
  if (box === undefined || (Array.isArray(box) && box.every(isNumber))) return undefined
  return expected('an array of numbers', below(path, 'bbox'), box)
}

const isNumber = (value: JsonValue): boolean => Number.isFinite(toDouble(value))

function items(value: JsonValue | undefined, path: string, read: (item: JsonValue, path: string) => Problem): Problem {
  if (!Array.isArray(value)) return expected('an array', path, value)
  return first(value, (item, i) => read(item, `${path}[${i}]`))
}

/** The problem of the first item that has one. */
function first(list: readonly JsonValue[], problemOf: (item: JsonValue, i: number) => Problem): Problem {
  for (const [i, item] of list.entries()) {
    const problem = problemOf(item, i)
    if (problem !== undefined) return problem
  }
  return undefined
}

const below = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`)

/** Values are shown short: a shape may have thousands of positions. */
const SHOWN_LENGTH = 60

function expected(what: string, path: string, found: JsonValue | undefined): string {
  const shown = found === undefined ? 'nothing' : printStart(found, SHOWN_LENGTH)
  return `${what} was expected${path === '' ? '' : ` at \`${path}\``}, not ${shown}`
}
