import type { DenseDocSet } from '../../bitmap/index.js'
import type { FieldRegistry } from '../../documents/index.js'
import type { DocIdSource, Postings, WordPostings } from '../../postings/index.js'
import { matchesPattern } from '../../settings/index.js'
import { isNumeric } from '../../text/index.js'
import type { SearchIndex } from '../search-index.js'
import { searchableFields } from '../searchable-fields.js'
import { docsBySets, MANY_DOCS } from './docs-by-sets.js'
import { ListedDocIds } from './listed-doc-ids.js'

/** Fields by number: 1 when words in them count. Undefined when all fields do. */
export type FieldSet = Uint8Array | undefined

/** Where words count as present: in all searchable fields, or in some (spec 5 §2.6, spec 6 §1.5). */
export class FieldScope {
  /** Fields that are searched at all. */
  readonly searched: FieldSet
  /** Searched fields in which typos are tolerated. */
  readonly tolerant: FieldSet
  /** All fields in which typos are tolerated, searched or not: what the vocabulary of typos is made of. */
  private readonly vocabulary: FieldSet
  private readonly numbersAreExact: boolean

  constructor(
    private readonly index: SearchIndex,
    attributesToSearchOn: readonly string[] | null,
  ) {
    const { typoTolerance } = index.settings
    this.numbersAreExact = typoTolerance.disableOnNumbers
    this.searched = attributesToSearchOn === null ? undefined : searchedFields(index, attributesToSearchOn)
    this.vocabulary = typoTolerance.disableOnAttributes.length === 0 ? undefined : tolerantFields(index)
    this.tolerant = intersect(this.searched, this.vocabulary)
  }

  get isWholeIndex(): boolean {
    return this.searched === undefined
  }

  /** Documents that have a word where it counts. */
  docsOf(word: string, postings: WordPostings, kind: 'any' | 'tolerant'): DocIdSource {
    const term = this.index.words.sets.wordTerm(word)
    if (kind === 'any') return this.docsIn(postings, term, this.searched)
    return this.numbersAreExact && isNumeric(word) ? NONE : this.docsIn(postings, term, this.tolerant)
  }

  /** The same for all words with one prefix, be it without the prefix itself. */
  docsOfPrefix(postings: WordPostings, kind: 'any' | 'tolerant'): DocIdSource {
    return this.docsIn(postings, undefined, kind === 'any' ? this.searched : this.tolerant)
  }

  /** Documents that have the very word. */
  docsOfExact(word: string): DocIdSource {
    const postings = this.index.words.postings(word)
    return postings === undefined ? NONE : this.docsOf(word, postings, 'any')
  }

  /** The word has an occurrence that tolerates typos, searched or not. */
  isTolerant(word: string): boolean {
    if (this.numbersAreExact && isNumeric(word)) return false
    if (this.vocabulary === undefined) return true
    const postings = this.index.words.postings(word)
    return postings !== undefined && hasPositionIn(postings.positions, 0, postings.positions.length, this.vocabulary)
  }

  get isEveryWordTolerant(): boolean {
    return !this.numbersAreExact && this.vocabulary === undefined
  }

  /** Typos of a word are tolerated or not by where it stands: another index may have it elsewhere. */
  get isToleranceByField(): boolean {
    return this.vocabulary !== undefined
  }

  /** Of a frequent term, whose number is given, sets tell in which fields documents have it. */
  private docsIn(postings: WordPostings, term: number | undefined, fields: FieldSet): DocIdSource {
    if (fields === undefined) return postings
    const { sets } = this.index.words
    const { pairs } = this.index.scratch
    const lookAt = (docIds: Uint32Array) => docsWithPositionIn(postings.within(docIds), fields)
    if (term === undefined || postings.count < MANY_DOCS) return new ListedDocIds(lookAt(postings.docIds))
    const addStored = (docs: DenseDocSet) => {
      for (const [field, isIn] of fields.entries()) if (isIn === 1) sets.addField(term, field, docs)
    }
    return new ListedDocIds(docsBySets(sets, pairs, { docIds: postings.docIds, addStored, lookAt }))
  }
}

const NONE: DocIdSource = new ListedDocIds(new Uint32Array(0))

function searchedFields(index: SearchIndex, names: readonly string[]): FieldSet {
  if (names.includes('*')) return undefined
  const { ids, ranks } = searchableFields(index)
  const set = new Uint8Array(ranks.length)
  for (const id of ids) if (names.some((name) => isNamed(index.nameOf(id), name, index.fields))) set[id] = 1
  return set
}

/** An exact name is that field only, even when it holds a star; other names with stars are patterns. */
function isNamed(field: string, name: string, fields: FieldRegistry): boolean {
  if (field === name) return true
  return name.includes('*') && fields.idOf(name) === undefined && matchesPattern(name, field)
}

const TOLERANT = Symbol('tolerant fields')

function tolerantFields(index: SearchIndex): FieldSet {
  return index.derive(TOLERANT, () =>
    Uint8Array.from(index.fields.all(), (field) => (index.roles.of(field).isExact ? 0 : 1)),
  )
}

function intersect(a: FieldSet, b: FieldSet): FieldSet {
  if (a === undefined || b === undefined) return a ?? b
  return a.map((isIn, id) => isIn & b[id]!)
}

function docsWithPositionIn({ docIds, starts, positions }: Postings, fields: Uint8Array): Uint32Array {
  const found = new Uint32Array(docIds.length)
  return found.subarray(0, keepIn(fields, docIds, starts, positions, found))
}

/** Lists the documents that have a place in one of the fields, and says how many there are. */
function keepIn(
  fields: Uint8Array,
  docIds: Uint32Array,
  starts: Uint32Array,
  positions: Uint32Array,
  found: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < docIds.length; i++) {
    if (hasPositionIn(positions, starts[i]!, starts[i + 1]!, fields)) found[count++] = docIds[i]!
  }
  return count
}

function hasPositionIn(positions: Uint32Array, from: number, to: number, fields: Uint8Array): boolean {
  for (let k = from; k < to; k++) if (fields[positions[k]! >>> 16] === 1) return true
  return false
}
