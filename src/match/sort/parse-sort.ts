import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import type { Direction, SortKey } from './model.js'

/** The code that blames a sort, by family of routes. */
export type SortCode = 'invalid_search_sort' | 'invalid_document_sort'

/** Reads the entries of `sort`. Whether the index can be sorted by them is checked elsewhere. */
export function parseSort(entries: readonly string[], code: SortCode): Result<SortKey[]> {
  const keys: SortKey[] = []
  for (const [i, entry] of entries.entries()) {
    const key = parseEntry(entry)
    if (typeof key === 'string') return fail(code, `\`.sort[${i}]\`: ${key}.`)
    keys.push(key)
  }
  return ok(keys)
}

/** `<member>:asc` or `<member>:desc`, cut at the last colon (spec 6 §9); a text says what is wrong. */
function parseEntry(entry: string): SortKey | string {
  const colon = entry.lastIndexOf(':')
  const direction = entry.slice(colon + 1)
  if (colon === -1 || (direction !== 'asc' && direction !== 'desc')) {
    return `\`<attribute>:asc\` or \`<attribute>:desc\` was expected, ${shown(entry)} was found`
  }
  const member = entry.slice(0, colon)
  if (member === '_geoPoint' || member.startsWith('_geoPoint(')) return parseGeoPoint(member, direction)
  return reservedProblem(member) ?? { kind: 'attribute', attribute: member, direction }
}

const RESERVED = new Set(['_geo', '_geojson', '_geoDistance', '_geoPolygon'])
const RESERVED_STARTS = ['_geoRadius', '_geoBoundingBox', '_geo(', '_geoDistance(']

function reservedProblem(member: string): string | undefined {
  if (!RESERVED.has(member) && !RESERVED_STARTS.some((start) => member.startsWith(start))) return undefined
  return `${shown(member)} is a reserved name; sort by distance with \`_geoPoint(lat, lng):asc\` or \`:desc\``
}

const GEO_POINT = /^_geoPoint\(([^,]*),([^,]*)\)$/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const PLAIN_NUMBER = /^[\d.-]+$/

function parseGeoPoint(member: string, direction: Direction): SortKey | string {
  const [, latText, lngText] = GEO_POINT.exec(member)?.map((text) => text.trim()) ?? []
  if (latText === undefined || lngText === undefined || !NUMBER.test(latText) || !NUMBER.test(lngText)) {
    return `the form \`_geoPoint(lat, lng)\` with two numbers was expected, ${shown(member)} was found`
  }
  const lat = Number(latText)
  const lng = Number(lngText)
  if (lat < -90 || lat > 90) return `the latitude ${latText} is outside of -90 to 90`
  if (lng < -180 || lng > 180) return `the longitude ${lngText} is outside of -180 to 180`
  return { kind: 'geoPoint', lat, lng, direction, isPlain: PLAIN_NUMBER.test(latText) && PLAIN_NUMBER.test(lngText) }
}

/**
 * The entries of a `sort` query parameter: pieces between commas, trimmed, of which those of one `_geoPoint(...)` are
 * put together again (spec 6 §1.3). An empty text is one empty entry, which no one can sort by.
 */
export function sortFromQuery(text: string): string[] {
  const entries: string[] = []
  let isInPoint = false
  for (const piece of withoutQuotes(text)
    .split(',')
    .map((part) => part.trim())) {
    if (isInPoint) entries.push(`${entries.pop()},${piece}`)
    else entries.push(piece)
    isInPoint = (isInPoint || piece.startsWith('_geoPoint(')) && !piece.endsWith('):asc') && !piece.endsWith('):desc')
  }
  return entries
}

function withoutQuotes(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '"') start++
  while (end > start && text[end - 1] === '"') end--
  return text.slice(start, end)
}
