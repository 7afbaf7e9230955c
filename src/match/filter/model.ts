/** Where a piece of an expression stands: from 1, counted in UTF-16 units, `end` just behind it. */
export interface Columns {
  readonly start: number
  readonly end: number
}

/** The left side of a condition, with its place for messages. */
export interface Attribute {
  readonly name: string
  readonly columns: Columns
}

/** The attribute that selects documents by shard; it needs no filterable rule. */
export const SHARD = '_shard'

export const comparisons = ['<=', '>=', '!=', '<', '>', '='] as const
export type Comparison = (typeof comparisons)[number]

/** A test of one attribute. Values are decoded but not normalized; whether they are numbers is decided later. */
export type AttributeCondition =
  | { readonly kind: 'compare'; readonly attribute: Attribute; readonly operator: Comparison; readonly value: string }
  | { readonly kind: 'between'; readonly attribute: Attribute; readonly from: string; readonly to: string }
  | { readonly kind: 'in'; readonly attribute: Attribute; readonly values: readonly string[] }
  | { readonly kind: 'exists' | 'null' | 'empty'; readonly attribute: Attribute }
  | { readonly kind: 'contains' | 'startsWith'; readonly attribute: Attribute; readonly value: string }

/** Degrees, not yet checked for their range. */
export interface GeoPoint {
  readonly lat: number
  readonly lng: number
}

/** A box whose `topRight.lng` is smaller than `bottomLeft.lng` crosses the antimeridian. */
export interface GeoBox {
  readonly topRight: GeoPoint
  readonly bottomLeft: GeoPoint
}

export type GeoCondition =
  | {
      readonly kind: 'geoRadius'
      readonly center: GeoPoint
      readonly meters: number
      /** Corners of the polygon that stands for the circle where shapes are concerned. */
      readonly resolution: number
    }
  | { readonly kind: 'geoBoundingBox'; readonly box: GeoBox }
  | { readonly kind: 'geoPolygon'; readonly points: readonly GeoPoint[] }

/** Which vectors of an embedder count; without an embedder, those of any. */
export type VectorSelection =
  | { readonly part: 'any'; readonly embedder?: string }
  | { readonly part: 'userProvided' | 'documentTemplate' | 'regenerate'; readonly embedder: string }
  | { readonly part: 'fragment'; readonly embedder: string; readonly fragment: string }

export interface VectorCondition {
  readonly kind: 'vectors'
  readonly vectors: VectorSelection
}

/** `_foreign(field, filter)`: documents whose `field` holds the id of a foreign document that satisfies `filter`. */
export interface ForeignCondition {
  readonly kind: 'foreign'
  readonly field: Attribute
  readonly filter: Filter
}

export type Condition = AttributeCondition | GeoCondition | VectorCondition | ForeignCondition

/**
 * A filter as its expression says it. `NOT` forms of operators are a `not` around the plain one, except `!=`, which
 * differs for attributes that no document has (spec 6 §6.4). There is no `not` directly inside a `not`. Nesting is
 * bounded by the parser, so functions over filters may call themselves.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | Condition

export function negated(filter: Filter): Filter {
  return filter.kind === 'not' ? filter.operand : { kind: 'not', operand: filter }
}

/** One filter as itself, several as their conjunction or disjunction. There must be at least one. */
export function combined(kind: 'and' | 'or', operands: readonly Filter[]): Filter {
  return operands.length === 1 ? operands[0]! : { kind, operands }
}

/** The conditions in the order of the text, without those inside `_foreign`. */
export function* conditionsOf(filter: Filter): Generator<Condition> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const operand of filter.operands) yield* conditionsOf(operand)
      break
    case 'not':
      yield* conditionsOf(filter.operand)
      break
    default:
      yield filter
  }
}
