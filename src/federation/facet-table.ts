import type { Bitmap } from '../bitmap/index.js'
import { compareBytes } from '../byte-order/index.js'
import type { FacetStats, FieldCounts } from '../engine/index.js'
import { ALL, countFacets } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import type { SearchIndex } from '../match/index.js'
import { type FacetOrder, matchesName, type Settings } from '../settings/index.js'
import { FacetTally } from './facet-tally.js'
import type { CountedDocument } from './model.js'
import type { FacetPart } from './shards/facet-part.js'
import { WholeFacets } from './shards/whole-facets.js'

/** How the settings of an index order the values of a facet. */
export function facetOrder({ sortFacetValuesBy }: Settings['faceting'], name: string): FacetOrder {
  return sortFacetValuesBy.get(name) ?? sortFacetValuesBy.get(ALL) ?? 'alpha'
}

/** The facets that were asked for of one index, with the counts of all who answered (spec 8 §1.10). */
export class FacetTable {
  private readonly tallies = new Map<string, FacetTally>()
  private hasOthers = false

  private constructor(
    private readonly entries: readonly string[],
    private readonly faceting: Settings['faceting'],
    /** Where documents of the index are counted in parts. They become tallies when all parts are there. */
    private readonly whole: WholeFacets | undefined,
  ) {}

  /** Counts the values of the candidates. Fails when an entry is no filterable attribute. */
  static count({ index, entries, candidates, isPart }: CountedFacets): Result<FacetTable> {
    const counted = countFacets({ index, names: entries, candidates, isPart })
    if (!counted.ok) return counted
    const table = FacetTable.empty(index, entries, isPart)
    table.whole?.add({ candidates: candidates.size, fields: counted.value })
    if (!isPart) for (const field of counted.value) table.tallyOf(field.attribute).add(countsOf(field), field.stats)
    return ok(table)
  }

  /** One in which others may count. */
  static empty({ settings }: SearchIndex, entries: readonly string[], isPart: boolean): FacetTable {
    return new FacetTable(entries, settings.faceting, isPart ? new WholeFacets() : undefined)
  }

  get attributes(): Iterable<string> {
    return this.whole?.attributes ?? this.tallies.keys()
  }

  /** Counts of another server for its part of the documents. */
  addPart(part: FacetPart): void {
    this.whole?.add(part)
  }

  /** Counts of another server. */
  addOthers(attribute: string, counts: Iterable<readonly [string, number]>, stats: FacetStats | null): void {
    this.hasOthers = true
    this.tallyOf(attribute).add(counts, stats)
  }

  /** What was counted here, for a server that adds up the parts; undefined where it is not one. */
  part(): FacetPart | undefined {
    return this.whole?.part()
  }

  /** Facets that were not asked for by name are corrected only where the hit shows them, unless they were counted in parts. */
  remove(document: CountedDocument): void {
    const { whole } = this
    for (const attribute of whole?.attributes ?? []) whole!.remove(attribute, document.keysOf(attribute))
    for (const [attribute, tally] of this.tallies) {
      tally.remove(this.isNamed(attribute) ? document.keysOf(attribute) : document.shownKeysOf(attribute))
    }
  }

  /** All parts are there. */
  settle(): void {
    const { whole, faceting } = this
    for (const attribute of whole?.attributes ?? []) {
      const shown = whole!.shown(attribute, this.orderOf(attribute), faceting.maxValuesPerFacet)
      this.tallyOf(attribute).add(shown, whole!.statsOf(attribute))
    }
  }

  print(): PrintedFacets {
    const { maxValuesPerFacet } = this.faceting
    if (this.hasOthers) {
      for (const [attribute, tally] of this.tallies) tally.arrange(this.orderOf(attribute), maxValuesPerFacet)
    }
    return printTallies(this.tallies)
  }

  /** Adds everything to the facets of other indexes. */
  mergeInto(merged: MergedFacets): void {
    for (const [attribute, tally] of this.tallies) {
      merged.add(attribute, { tally, isNamed: this.isNamed(attribute), order: this.mergedOrder(attribute) })
    }
  }

  private isNamed(attribute: string): boolean {
    return this.entries.some((entry) => entry !== ALL && matchesName(entry, attribute))
  }

  private orderOf(attribute: string): FacetOrder {
    const isOwn = this.entries.includes(attribute) && !this.entries.includes(ALL)
    return facetOrder(this.faceting, isOwn ? attribute : ALL)
  }

  private mergedOrder(attribute: string): FacetOrder {
    return this.entries.includes(attribute) ? facetOrder(this.faceting, attribute) : 'alpha'
  }

  private tallyOf(attribute: string): FacetTally {
    const known = this.tallies.get(attribute)
    if (known !== undefined) return known
    const tally = new FacetTally()
    this.tallies.set(attribute, tally)
    return tally
  }
}

interface CountedFacets {
  readonly index: SearchIndex
  readonly entries: readonly string[]
  readonly candidates: Bitmap
  /** Documents of the index are counted elsewhere, too. */
  readonly isPart: boolean
}

/** A number and a string with the same text share one member; the string's count stays. */
const countsOf = ({ values }: FieldCounts): Map<string, number> =>
  new Map(values.map(({ label, count }) => [label, count]))

interface MergedField {
  readonly tally: FacetTally
  readonly isNamed: boolean
  readonly order: FacetOrder
}

/** The facets of all indexes as one. */
export class MergedFacets {
  private readonly fields = new Map<string, MergedField>()

  constructor(private readonly maxValues: number | null) {}

  /** Indexes that are asked for a facet by its name order it alike; the others have nothing to say about it. */
  add(attribute: string, field: MergedField): void {
    const known = this.fields.get(attribute)
    const tally = known?.tally ?? new FacetTally()
    tally.addAll(field.tally)
    const isNamed = field.isNamed || known?.isNamed === true
    this.fields.set(attribute, { tally, isNamed, order: known?.order === 'count' ? 'count' : field.order })
  }

  remove(document: CountedDocument): void {
    for (const [attribute, { tally, isNamed }] of this.fields) {
      tally.remove(isNamed ? document.keysOf(attribute) : document.shownKeysOf(attribute))
    }
  }

  print(): PrintedFacets {
    for (const { tally, order } of this.fields.values()) tally.arrange(order, this.maxValues)
    return printTallies(new Map(Array.from(this.fields, ([attribute, { tally }]) => [attribute, tally])))
  }
}

/** JSON texts. */
export interface PrintedFacets {
  readonly distribution: string
  readonly stats: string
}

function printTallies(tallies: ReadonlyMap<string, FacetTally>): PrintedFacets {
  const sorted = [...tallies].sort(([a], [b]) => compareBytes(a, b))
  const distribution = sorted.map(([attribute, tally]) => `${JSON.stringify(attribute)}:${tally.printCounts()}`)
  const stats = sorted.flatMap(([attribute, tally]) => {
    const printed = tally.printStats()
    return printed === undefined ? [] : `${JSON.stringify(attribute)}:${printed}`
  })
  return { distribution: `{${distribution.join(',')}}`, stats: `{${stats.join(',')}}` }
}
