import type { Phrase } from '../../match/index.js'
import { matchesPattern } from '../../settings/index.js'
import { type DocSet, intersect, unite } from './doc-sets.twin.js'
import type { Occurrence, TwinIndex } from './index.twin.js'

/** What a term of the query may stand for in a document. */
export type Derivation =
  | {
      readonly kind: 'word'
      readonly word: string
      /** Only occurrences that tolerate typos count (spec 5 §4.4). */
      readonly isTolerant: boolean
      /** Found through a cached prefix: it is no partner of a pair in reversed order (spec 6 §4.6). */
      readonly isOneWay: boolean
    }
  | { readonly kind: 'phrase'; readonly words: Phrase }

const MAX_DISTANCE = 3

/** Which documents have a word, a phrase, a pair: with the restriction of `attributesToSearchOn` where it counts. */
export class Matcher {
  /** The fields to search, null for all (spec 6 §1.5). */
  private readonly selected: ReadonlySet<string> | null

  constructor(
    readonly index: TwinIndex,
    attributes: readonly string[] | null,
  ) {
    this.selected = attributes === null || attributes.includes('*') ? null : selectFields([...index.fields], attributes)
  }

  isSelected(field: string): boolean {
    return this.selected === null || this.selected.has(field)
  }

  /** Documents with an occurrence of the word that passes. */
  private docsWith(word: string, passes: (place: Occurrence) => boolean): Set<number> {
    const documents = [...this.index.documentsOf(word)]
    return new Set(documents.filter(([, positions]) => positions.some(passes)).map(([docId]) => docId))
  }

  wordDocs(word: string): Set<number> {
    return this.docsWith(word, ({ field }) => this.isSelected(field))
  }

  /** Documents that have every word, near words at their distance: pair by pair (spec 5 §4.7). */
  phraseDocs(words: Phrase): Set<number> {
    let docs: DocSet = this.index.docIds
    words.forEach((word, i) => {
      if (word === null) return
      docs = intersect(docs, this.wordDocs(word))
      const window = [words[i + 1], words[i + 2]]
      window.forEach((later, gap) => {
        if (later != null) docs = new Set([...docs].filter((docId) => this.isWithin(docId, word, later, gap + 1)))
      })
    })
    return new Set(docs)
  }

  private isWithin(docId: number, first: string, second: string, distance: number): boolean {
    if (this.isByAttribute) return this.shareField(docId, first, second)
    const found = this.distance(docId, first, second)
    return found !== undefined && found <= distance
  }

  get isByAttribute(): boolean {
    return this.index.settings.proximityPrecision === 'byAttribute'
  }

  docsOf(derivation: Derivation): Set<number> {
    if (derivation.kind === 'phrase') return this.phraseDocs(derivation.words)
    return this.docsWith(
      derivation.word,
      ({ field, isExact }) => this.isSelected(field) && !(derivation.isTolerant && isExact),
    )
  }

  docsOfAny(derivations: readonly Derivation[]): Set<number> {
    return unite(derivations.map((derivation) => this.docsOf(derivation)))
  }

  /** Documents where a derivation has an occurrence that passes; of a phrase it is its first word's. */
  docsAt(derivation: Derivation, passes: (place: Occurrence) => boolean): Set<number> {
    if (derivation.kind === 'word') return this.docsWith(derivation.word, passes)
    const first = derivation.words.find((word) => word !== null)!
    return intersect(this.phraseDocs(derivation.words), this.docsWith(first, passes))
  }

  /** Positions of a derivation in the whole index. */
  positionsOf(derivation: Derivation): Occurrence[] {
    const word = derivation.kind === 'word' ? derivation.word : derivation.words.find((one) => one !== null)!
    return [...this.index.documentsOf(word).values()].flat()
  }

  /** The smallest one of the ordered pair in any attribute, up to 3 (spec 5 §2.5). */
  distance(docId: number, first: string, second: string): number | undefined {
    const distances = this.index
      .occurrences(first, docId)
      .flatMap((a) =>
        this.index.occurrences(second, docId).map((b) => (a.field === b.field ? b.position - a.position : 0)),
      )
      .filter((distance) => distance >= 1 && distance <= MAX_DISTANCE)
    return distances.length === 0 ? undefined : Math.min(...distances)
  }

  shareField(docId: number, first: string, second: string): boolean {
    const fields = new Set(this.index.occurrences(first, docId).map(({ field }) => field))
    return this.index.occurrences(second, docId).some(({ field }) => fields.has(field))
  }
}

function selectFields(fields: readonly string[], attributes: readonly string[]): ReadonlySet<string> {
  const matches = (attribute: string): string[] => {
    if (fields.includes(attribute)) return [attribute]
    return attribute.includes('*') ? fields.filter((field) => matchesPattern(attribute, field)) : []
  }
  return new Set(attributes.flatMap(matches))
}
