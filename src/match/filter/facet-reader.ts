import type { Bitmap } from '../../bitmap/index.js'
import type { GeoBox, GeoPoint, VectorSelection } from './model.js'

/** One end of a range. */
export interface Bound<T> {
  readonly value: T
  readonly isInclusive: boolean
}

/** An absent end is open. Ends may cross, which makes the range empty. */
export interface Range<T> {
  readonly min?: Bound<T>
  readonly max?: Bound<T>
}

/**
 * What the index knows about the values of one field. A document with several values is in the answer when any of them
 * fits. Strings are given as `normalizeFacet` makes them and are not cut to what is stored.
 */
export interface FieldFacets {
  /** The path is present, be it as null, `""`, `[]` or `{}`. */
  exists(): Bitmap
  /** The value at the path is null; null inside an array does not count. */
  isNull(): Bitmap
  /** The value at the path is `""`, `[]` or `{}`. */
  isEmpty(): Bitmap
  numberEquals(value: number): Bitmap
  /** The union of `stringEquals` and `numberEquals` of many values, in less time than to ask for each. */
  equalsAny?(normalized: Iterable<string>, numbers: Iterable<number>): Bitmap
  numberRange(range: Range<number>): Bitmap
  /** Of some documents, ascending, those in a range; undefined where all of `numberRange` are found in less time. */
  numbersAmong?(range: Range<number>, docIds: Uint32Array): Uint32Array | undefined
  stringEquals(normalized: string): Bitmap
  /** In byte order. */
  stringRange(range: Range<string>): Bitmap
  stringPrefix(normalized: string): Bitmap
  stringContains(normalized: string): Bitmap
}

/**
 * What filters read of an index, in one snapshot. Bitmaps that it hands out are shared: they are never changed by those
 * who receive them.
 */
export interface FacetReader {
  /** All documents. */
  docIds(): Bitmap
  /** Undefined for an attribute that no document ever had. */
  field(attribute: string): FieldFacets | undefined
  /** Documents whose `_geo` is at most so far away, by the distance of spec 6 §10.1. */
  geoWithinRadius(center: GeoPoint, meters: number): Bitmap
  /** Documents whose `_geo` is in the box, bounds included. */
  geoWithinBox(box: GeoBox): Bitmap
  /**
   * Documents whose `_geojson` touches the polygon, which is closed and whose edges are great-circle arcs. `inside` says
   * which of its two sides is meant; without it, it is the one without poles, or else the smaller one.
   */
  shapesTouchingPolygon(points: readonly GeoPoint[], inside?: GeoPoint): Bitmap
  /** The box is taken for the polygon of its corners. */
  shapesTouchingBox(box: GeoBox): Bitmap
  /** The embedder and the fragment, if given, exist in the settings. */
  withVectors(selection: VectorSelection): Bitmap
}

/** The shards of a network and the documents of this index in each. */
export interface ShardReader {
  names(): readonly string[]
  docIds(name: string): Bitmap
}
