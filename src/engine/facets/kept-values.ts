import { ByteCache } from '../../cache/index.js'
import type { FacetColumn, FacetValue } from '../../columns/index.js'
import type { OrderedValue, OrderedValues } from './count-by-value.js'
import type { FacetIndex } from './model.js'
import { COST_PER_PART, countingCost, partsUpTo } from './walk-cost.js'

/** So many times the shown ones are read at first: candidates do not have all of them. */
const READ_PER_SHOWN = 2

/** What the values of one field may take, and those of all fields of an index. */
const MAX_FIELD_BYTES = 8 << 20
const MAX_BYTES = 16 << 20

/** Of a value, beside its documents; roughly. */
const VALUE_BYTES = 200

interface StoredValues extends OrderedValues {
  numbersAfter(value: FacetValue<number>): Iterable<FacetValue<number>>
  stringsAfter(value: FacetValue<string>): Iterable<FacetValue<string>>
}

/** Where values of one kind come from. */
interface StoredKind<T> {
  readonly all: (isReverse: boolean) => Iterable<FacetValue<T>>
  readonly after: (value: FacetValue<T>) => Iterable<FacetValue<T>>
}

/** Values in their order, from the first on: those that somebody walked through, as far as there is room. */
class KeptList<T> {
  private readonly values: OrderedValue<T>[] = []
  /** There are no others. */
  private isAll = false
  /** There is no room for others. */
  private isFull = false
  sizeBytes = 0
  /** Of counting them all. */
  cost = 0

  constructor(
    private readonly stored: StoredKind<T>,
    private readonly maxBytes: number,
  ) {}

  /** Reads so many, if there are so many; answers how many it has. */
  read(count: number): number {
    const walk = this.rest()[Symbol.iterator]()
    while (this.values.length < count && !this.isAll && !this.isFull) walk.next()
    return this.values.length
  }

  /** All values are here, and to count them does not cost more. */
  areCountedFor(maxCost: number): boolean {
    return this.isAll && this.cost <= maxCost
  }

  backwards(): Iterable<OrderedValue<T>> {
    return this.isAll ? this.values.toReversed() : this.stored.all(true)
  }

  *walk(): Iterable<OrderedValue<T>> {
    yield* this.values
    if (!this.isAll) yield* this.rest()
  }

  /** Those that are stored behind. */
  private *rest(): Iterable<OrderedValue<T>> {
    const last = this.values.at(-1)
    for (const value of last === undefined ? this.stored.all(false) : this.stored.after(last)) {
      this.keep(value)
      yield value
    }
    this.isAll = !this.isFull
  }

  private keep({ value, docIds }: FacetValue<T>): void {
    const bytes = VALUE_BYTES + docIds.sizeBytes()
    this.isFull ||= this.sizeBytes + bytes > this.maxBytes
    if (this.isFull) return
    this.values.push({ value, docIds, isKept: true })
    this.sizeBytes += bytes
    this.cost += countingCost(docIds.size, partsUpTo(docIds.max))
  }
}

/** The first values of a field in memory, with their documents. */
export class KeptValues implements OrderedValues {
  private readonly numberList: KeptList<number>
  private readonly stringList: KeptList<string>

  constructor(stored: StoredValues, maxBytes = MAX_FIELD_BYTES) {
    const numbers = {
      all: (isReverse: boolean) => stored.numbers(isReverse),
      after: (value: FacetValue<number>) => stored.numbersAfter(value),
    }
    const strings = {
      all: (isReverse: boolean) => stored.strings(isReverse),
      after: (value: FacetValue<string>) => stored.stringsAfter(value),
    }
    this.numberList = new KeptList(numbers, maxBytes / 2)
    this.stringList = new KeptList(strings, maxBytes / 2)
  }

  get sizeBytes(): number {
    return this.numberList.sizeBytes + this.stringList.sizeBytes
  }

  /** Reads the first values, as far as they are not here. */
  read(count: number): void {
    this.stringList.read(count - this.numberList.read(count))
  }

  /** All values of the field are here, and to count them does not cost more than so much. */
  areCountedFor(maxCost: number): boolean {
    return this.numberList.areCountedFor(maxCost) && this.stringList.areCountedFor(maxCost - this.numberList.cost)
  }

  numbers(isReverse = false): Iterable<OrderedValue<number>> {
    return isReverse ? this.numberList.backwards() : this.numberList.walk()
  }

  strings(isReverse = false): Iterable<OrderedValue<string>> {
    return isReverse ? this.stringList.backwards() : this.stringList.walk()
  }
}

const KEPT = Symbol('facet values')

/**
 * The values of a field in their order; undefined when candidates are counted sooner without them. The first ones are
 * read the second time that somebody wants them: an index that changes from search to search would have them read for
 * nothing. Where the column is not in memory, whoever does without them has to read that, which takes longer.
 */
export function keptValues({ index, attribute, column, size }: CountedField): KeptValues | undefined {
  const known = index.derive(KEPT, () => new ByteCache<KeptValues>(MAX_BYTES))
  const { maxValuesPerFacet: shownValues } = index.settings.faceting
  const kept = known.get(attribute)
  const values = kept ?? new KeptValues(index.facets.field(attribute)!)
  if (kept === undefined) known.set(attribute, values)
  if (kept !== undefined || isReadSooner(index, shownValues, column)) values.read(READ_PER_SHOWN * shownValues)
  else if (size <= COST_PER_PART * shownValues) return undefined
  return values
}

interface CountedField {
  readonly index: FacetIndex
  readonly attribute: string
  readonly column: FacetColumn
  /** How many candidates there are. */
  readonly size: number
}

/** What it takes to read one part of the documents of a value, in µs. */
const PART_COST = 8

function isReadSooner({ docIds }: FacetIndex, shownValues: number, column: FacetColumn): boolean {
  const { now, later } = column.scanCosts()
  return now - later > READ_PER_SHOWN * shownValues * partsUpTo(docIds.max) * PART_COST
}
