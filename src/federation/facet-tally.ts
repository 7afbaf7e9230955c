import { compareBytes } from '../byte-order/index.js'
import { normalizeFacet } from '../columns/index.js'
import type { FacetStats } from '../engine/index.js'
import { numberLabel } from '../engine/index.js'
import { floatText } from '../json/index.js'
import type { FacetOrder } from '../settings/index.js'
import type { FacetKeys } from './model.js'

/** Values of one facet and in how many hits they are, added up from several sources. */
export class FacetTally {
  private counts = new Map<string, number>()
  private stats: FacetStats | null = null
  /** Labels by their normalized form, in byte order; made when it is needed. */
  private labelsByKey: Map<string, string[]> | undefined

  add(counts: Iterable<readonly [label: string, count: number]>, stats: FacetStats | null): void {
    for (const [label, count] of counts) this.counts.set(label, (this.counts.get(label) ?? 0) + count)
    this.addStats(stats)
  }

  addAll(other: FacetTally): void {
    this.add(other.counts, other.stats)
  }

  /** Takes one hit with these values away. Of several spellings the first one in byte order loses it (spec 8 §1.8). */
  remove(keys: FacetKeys): void {
    this.labelsByKey ??= labelsByKey([...this.counts.keys()].sort(compareBytes))
    for (const text of new Set(keys.map(keyText))) {
      const label = this.labelsByKey.get(text)?.find((each) => this.counts.has(each))
      if (label === undefined) continue
      const left = this.counts.get(label)! - 1
      if (left > 0) this.counts.set(label, left)
      else this.counts.delete(label)
    }
  }

  /** Puts values into their order and keeps the first ones. Among equal counts the order of arrival stays. */
  arrange(order: FacetOrder, maxValues: number | null): void {
    const entries = [...this.counts]
    entries.sort(order === 'alpha' ? ([a], [b]) => compareBytes(a, b) : ([, a], [, b]) => b - a)
    this.counts = new Map(maxValues === null ? entries : entries.slice(0, maxValues))
  }

  /** In their order. */
  entries(): [label: string, count: number][] {
    return [...this.counts]
  }

  printCounts(): string {
    return `{${Array.from(this.counts, ([label, count]) => `${JSON.stringify(label)}:${count}`).join(',')}}`
  }

  /** Undefined without numbers. */
  printStats(): string | undefined {
    if (this.stats === null) return undefined
    return `{"min":${floatText(this.stats.min)},"max":${floatText(this.stats.max)}}`
  }

  private addStats(stats: FacetStats | null): void {
    if (stats === null) return
    const { min, max } = this.stats ?? stats
    this.stats = { min: Math.min(min, stats.min), max: Math.max(max, stats.max) }
  }
}

const keyText = (key: number | string): string => (typeof key === 'number' ? numberLabel(key) : key)

function labelsByKey(labels: Iterable<string>): Map<string, string[]> {
  const byKey = new Map<string, string[]>()
  for (const label of labels) {
    const key = normalizeFacet(label)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [label])
    else known.push(label)
  }
  return byKey
}
