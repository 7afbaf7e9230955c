import { Bitmap } from '../../bitmap/index.js'
import type { FacetColumn } from '../../columns/index.js'
import { inOrder } from '../../heap/index.js'
import type { Direction, SearchIndex } from '../../match/index.js'
import { columnOf } from './columns-of.js'

/** Documents that a sort does not tell apart. */
export interface SortBucket {
  /** Ascending. */
  readonly docIds: Uint32Array
  /** A number or a normalized string; null for documents with neither. */
  readonly value: number | string | null
}

/** Documents that are listed only when they have to be. */
export interface Universe {
  readonly size: number
  /** Ascending. */
  readonly docIds: Uint32Array
}

interface AttributeOrder {
  readonly attribute: string
  readonly direction: Direction
}

/** Up to this many documents are looked at one by one; more are found by walking through the values in order. */
const FEW_DOCUMENTS = 1024

/**
 * Splits documents by their best value: numbers, then strings, then the rest (spec 6 §4.10). Buckets are made as they
 * are asked for; one may stop at any time.
 */
export function* sortBuckets(
  index: Pick<SearchIndex, 'folder' | 'carry' | 'fields' | 'facets' | 'docIds'>,
  { attribute, direction }: AttributeOrder,
  universe: Universe,
): Generator<SortBucket, void> {
  const column = columnOf(index, attribute)
  const values = index.facets.field(attribute)
  const isDescending = direction === 'desc'
  if (column === undefined || values === undefined) yield* whatIsLeft(universe.docIds)
  else if (universe.size <= FEW_DOCUMENTS) yield* bucketsByDocument(column, isDescending, universe.docIds)
  else yield* bucketsByValue({ all: index.docIds, column, values, isDescending }, universe)
}

function* whatIsLeft(docIds: Uint32Array): Generator<SortBucket, void> {
  if (docIds.length > 0) yield { docIds, value: null }
}

/** Looks at each document. */
export function* bucketsByDocument(
  column: FacetColumn,
  isDescending: boolean,
  universe: Uint32Array,
): Generator<SortBucket, void> {
  yield* bucketsOfOrdinals(column, column.bestValues(universe, isDescending), { isDescending, universe })
}

/** The documents of each ordinal, by its value; then those without one, whose ordinal is -1. */
export function* bucketsOfOrdinals(
  column: FacetColumn,
  ordinals: Int32Array,
  { isDescending, universe }: { isDescending: boolean; universe: Uint32Array },
): Generator<SortBucket, void> {
  const groups = new Groups(ordinals)
  const compare = isDescending ? descending(column) : (a: number, b: number) => column.compare(a, b)
  for (const ordinal of inOrder(groups.keys(), compare)) {
    yield { docIds: groups.take(ordinal, universe), value: column.valueOf(ordinal) }
  }
  yield* whatIsLeft(groups.take(NO_VALUE, universe))
}

const NO_VALUE = -1

/** Documents with the same ordinal, as lists that go through one array: making thousands of groups costs little. */
class Groups {
  /** For each ordinal the first document with it. */
  private readonly heads = new Map<number, number>()
  /** For each document the next one with the same ordinal, or -1. */
  private readonly next: Int32Array

  constructor(ordinals: Int32Array) {
    this.next = new Int32Array(ordinals.length)
    for (let i = ordinals.length - 1; i >= 0; i--) {
      this.next[i] = this.heads.get(ordinals[i]!) ?? -1
      this.heads.set(ordinals[i]!, i)
    }
  }

  /** All ordinals that stand for a value. */
  keys(): number[] {
    return [...this.heads.keys()].filter((ordinal) => ordinal !== NO_VALUE)
  }

  take(ordinal: number, universe: Uint32Array): Uint32Array {
    const docIds: number[] = []
    for (let i = this.heads.get(ordinal) ?? -1; i !== -1; i = this.next[i]!) docIds.push(universe[i]!)
    return Uint32Array.from(docIds)
  }
}

/** Numbers come first in both directions. */
const descending =
  (column: FacetColumn) =>
  (a: number, b: number): number =>
    column.isText(a) === column.isText(b) ? column.compare(b, a) : column.compare(a, b)

type FieldValues = NonNullable<ReturnType<SearchIndex['facets']['field']>>

interface ValueWalk {
  /** All documents of the index. */
  readonly all: Bitmap
  readonly column: FacetColumn
  readonly values: FieldValues
  readonly isDescending: boolean
}

/** A step to the next value costs about as much as a look at this many documents. */
export const DOCUMENTS_PER_STEP = 36

/** Walking through values pays when about so many documents, a page, are found before all could be looked at. */
const PAGE_DOCUMENTS = 20
const MIN_STEPS = 8

/** Walks through the values, and looks at the documents that are left when that has become cheaper. */
export function* bucketsByValue(
  { all, column, values, isDescending }: ValueWalk,
  universe: Universe,
): Generator<SortBucket, void> {
  const rest = universe.size === all.size ? all.clone() : Bitmap.fromSorted(universe.docIds)
  const pace = new Pace(universe.size)
  for (const kind of [values.numbers(isDescending), values.strings(isDescending)]) {
    for (const { value, docIds } of kind) {
      if (rest.isEmpty) return
      if (pace.isTooSlow) {
        yield* bucketsByDocument(column, isDescending, rest.toArray())
        return
      }
      const bucket = docIds.and(rest)
      pace.step(bucket.size)
      if (bucket.isEmpty) continue
      rest.andNotWith(bucket)
      yield { docIds: bucket.toArray(), value }
    }
  }
  yield* whatIsLeft(rest.toArray())
}

/** How a walk through values gets on. */
class Pace {
  private steps = 0
  private found = 0

  constructor(private readonly universeSize: number) {}

  step(found: number): void {
    this.steps++
    this.found += found
  }

  get isTooSlow(): boolean {
    const { steps, found, universeSize } = this
    const costInDocuments = steps * DOCUMENTS_PER_STEP
    if (costInDocuments > universeSize) return true
    return steps >= MIN_STEPS && costInDocuments * PAGE_DOCUMENTS > (found + 1) * universeSize
  }
}
