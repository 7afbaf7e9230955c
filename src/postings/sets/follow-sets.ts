import type { IndexFolder } from '../../folder/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { PrefixNeeds } from '../prefixes/follow-prefixes.js'
import { chooseTerms } from './choose-terms.js'
import { clearSets } from './clear-sets.js'
import {
  type ChoiceHead,
  RARITY_LIMITS,
  type RarityLimits,
  readChoice,
  readChoiceHead,
  type TermChoice,
  writeChoice,
} from './frequent-terms.js'
import { RangeSets } from './range-sets.js'
import { RangeTokens } from './range-tokens.js'
import { RangeWriter } from './range-writer.js'
import { RANGE_SIZE, rangeOf } from './set-key.js'
import { rangesOf, readStale, writeStale } from './stale-docs.js'
import { TermLists } from './term-lists.js'
import { readTokens, type TokenTable } from './token-table.js'

/** Smaller indexes look at their documents one by one in a few milliseconds. */
const MANY_DOCUMENTS = 1 << 13

/** Terms are chosen anew when the index has so many times the documents, or so much fewer. */
const GROWTH = 4

/** Of a range of 16,384. With more its sets are renewed. */
const MOST_CHANGED = 1024

/** Words that are held at a time: some 40 bytes each. */
const MAX_TOKENS = 4_000_000

export interface SetNeeds extends PrefixNeeds {
  /** Documents of a range that may have changed before its sets are renewed, `MOST_CHANGED` unless given. */
  readonly mostChanged?: number | undefined
  readonly rarityLimits?: RarityLimits | undefined
  /** Ranges that are renewed at most: all unless given. */
  readonly maxRanges?: number | undefined
}

/**
 * Inside a transaction, behind all changes: an index that has grown large gets sets of its frequent terms, and those of
 * which many documents have changed are renewed. Until then searches look at changed documents one by one, so that a
 * change costs next to nothing.
 */
export function followSets(folder: IndexFolder, needs: SetNeeds): void {
  const { documentCount } = needs
  const head = readChoiceHead(folder)
  if (isTooSmall(head, needs)) return
  const hasPrefixes = needs.isPrefixSearched()
  if (head === undefined || isOutgrown(head, documentCount, hasPrefixes)) {
    clearSets(folder)
    if (isTooSmall(undefined, needs)) return
    choose(folder, needs, hasPrefixes)
  }
  const due = rangesDue(folder, needs)
  if (due.length > 0) new SetRefresh(folder, needs, readChoice(folder)!).run(due)
}

/** Whether `followSets` would do something. */
export function isRefreshDue(folder: IndexFolder, needs: SetNeeds): boolean {
  const head = readChoiceHead(folder)
  if (isTooSmall(head, needs)) return false
  if (head === undefined || isOutgrown(head, needs.documentCount, needs.isPrefixSearched())) return true
  return rangesDue(folder, { ...needs, maxRanges: 1 }).length > 0
}

function isTooSmall(
  head: ChoiceHead | undefined,
  { documentCount, manyDocuments = MANY_DOCUMENTS }: SetNeeds,
): boolean {
  return head === undefined && documentCount < manyDocuments
}

/** The changed documents of those ranges in which there are many. */
function rangesDue(folder: IndexFolder, { mostChanged = MOST_CHANGED, maxRanges }: SetNeeds): Uint32Array {
  const due: number[] = []
  const last = rangeOf(folder.docIds().max)
  let left = maxRanges ?? Number.POSITIVE_INFINITY
  for (let range = 0; range <= last && left > 0; range++) {
    const docs = readStale(folder, range)
    if (docs.length <= mostChanged) continue
    for (const doc of docs) due.push(range * RANGE_SIZE + doc)
    left--
  }
  return Uint32Array.from(due)
}

function isOutgrown(head: ChoiceHead, documentCount: number, hasPrefixes: boolean): boolean {
  const ratio = documentCount / head.documentCount
  return head.hasPrefixes !== hasPrefixes || ratio >= GROWTH || ratio * GROWTH <= 1
}

/** The sets speak of no document then. */
function choose(folder: IndexFolder, needs: SetNeeds, hasPrefixes: boolean): void {
  const { documentCount, rarityLimits: limits = RARITY_LIMITS } = needs
  const check = () => throwIf(needs.isCancelled)
  writeChoice(folder, chooseTerms(folder, { documentCount, hasPrefixes, limits, check }))
  const docIds = folder.docIds()
  for (const { range, docs } of rangesOf(docIds.toArray())) writeStale(folder, range, docs)
}

function throwIf(isCancelled: () => boolean): void {
  if (isCancelled()) throw new JobCancelled()
}

class SetRefresh {
  private readonly lists: TermLists

  constructor(
    private readonly folder: IndexFolder,
    private readonly needs: SetNeeds,
    private readonly choice: TermChoice,
  ) {
    this.lists = new TermLists(choice)
  }

  /** Whole ranges, ascending. Words are looked for in as many documents at a time as there is memory for. */
  run(stale: Uint32Array): void {
    let size = Math.ceil(MAX_TOKENS / this.choice.positionsPerDocument)
    for (let from = 0; from < stale.length; ) {
      const docIds = stale.subarray(from, from + size)
      const table = this.read(docIds)
      if (table === undefined) {
        size = Math.ceil(docIds.length / 2)
        continue
      }
      from += docIds.length
      let first = 0
      for (const { range, docs } of rangesOf(docIds)) {
        this.write(range, new RangeTokens(docs, table, first, this.lists))
        first += docs.length
      }
    }
    for (const { range } of rangesOf(stale)) writeStale(this.folder, range, new Uint16Array(0))
  }

  /** Undefined when they have far more words than documents had when terms were chosen. */
  private read(docIds: Uint32Array): TokenTable | undefined {
    const maxTokens = docIds.length === 1 ? Number.POSITIVE_INFINITY : MAX_TOKENS * 2
    const check = () => throwIf(this.needs.isCancelled)
    return readTokens(this.folder, docIds, { lists: this.lists, maxTokens, check })
  }

  private write(range: number, tokens: RangeTokens): void {
    const { databases, environment } = this.folder
    const { choice, lists } = this
    environment.inSlice(() => {
      const writer = new RangeWriter(databases.termSets, range, tokens.docs, choice.terms.length)
      writer.write(new RangeSets(choice, lists, tokens), () => throwIf(this.needs.isCancelled))
    })
  }
}
