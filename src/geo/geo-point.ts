import { excerpt } from '../errors/index.js'
import { isObject, type JsonValue, numberFromDecimal, shown, toDouble } from '../json/index.js'

export interface GeoPoint {
  /** Degrees. */
  readonly lat: number
  readonly lng: number
}

export type ReadPoint =
  | { readonly ok: true; readonly value: GeoPoint | null }
  | { readonly ok: false; readonly reason: string }

/** The position in a `_geo` value; null when the document has none (spec 3 §8.1). */
export function readGeoPoint(value: JsonValue): ReadPoint {
  if (value === null) return { ok: true, value: null }
  if (!isObject(value)) return problem(`an object with \`lat\` and \`lng\` was expected, not ${shown(value)}`)
  const [hasLat, hasLng] = [value.has('lat'), value.has('lng')]
  if (!hasLat && !hasLng) return problem('`lat` and `lng` are missing')
  if (!hasLng) return problem('`lng` is missing')
  if (!hasLat) return problem('`lat` is missing')
  const extra = [...value.keys()].filter((name) => name !== 'lat' && name !== 'lng')
  if (extra.length > 0)
    return problem(
      `only \`lat\` and \`lng\` were expected, not ${extra.map((name) => `\`${excerpt(name, 100)}\``).join(', ')}`,
    )
  return coordinates(value.get('lat')!, value.get('lng')!)
}

function coordinates(rawLat: JsonValue, rawLng: JsonValue): ReadPoint {
  const [lat, lng] = [degrees(rawLat), degrees(rawLng)]
  if (lat === undefined && lng === undefined)
    return problem(`\`lat\` and \`lng\` must be finite numbers, not ${shown(rawLat)} and ${shown(rawLng)}`)
  if (lat === undefined) return problem(`\`lat\` must be a finite number, not ${shown(rawLat)}`)
  if (lng === undefined) return problem(`\`lng\` must be a finite number, not ${shown(rawLng)}`)
  return { ok: true, value: { lat, lng } }
}

/** A finite number, or text that is one. */
function degrees(value: JsonValue): number | undefined {
  const number = typeof value === 'string' ? numberFromDecimal(value) : toDouble(value)
  return Number.isFinite(number) ? number : undefined
}

const problem = (reason: string): ReadPoint => ({ ok: false, reason })
