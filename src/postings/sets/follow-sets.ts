import { lowerBound } from '../../bitmap/index.js'
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
import { RangeLog } from './range-log.js'
import { RangeSets } from './range-sets.js'
import { RangeTokens } from './range-tokens.js'
import { RangeWriter } from './range-writer.js'
import { readRanges } from './read-ranges.js'
import { RANGE_SIZE, rangeOf } from './set-key.js'
import { rangesOf, readStale, writeStale } from './stale-docs.js'
import { TermLists } from './term-lists.js'

/** Smaller indexes look at their documents one by one in a few milliseconds. */
const MANY_DOCUMENTS = 1 << 13

/** Terms are chosen anew when the index has so many times the documents, or so much fewer. */
const GROWTH = 4

/** Of a range of 16,384. With more its sets are renewed. */
const MOST_CHANGED = 1024

/** Of what is read of words at a time. Each walk over all of them takes long in a large index. */
const MAX_READ_BYTES = 96 << 20

/** What a place of a word takes there, roughly. */
const PLACE_BYTES = 5

/** Of one range at a time, whose places are sorted by document: those take 26 bytes. */
const MAX_RANGE_PLACES = 4_000_000

/** Ranges that one step writes. */
const RANGES_OF_A_STEP = 4

export interface SetNeeds extends PrefixNeeds {
  /** Documents of a range that may have changed before its sets are renewed, `MOST_CHANGED` unless given. */
  readonly mostChanged?: number | undefined
  readonly rarityLimits?: RarityLimits | undefined
}

/**
 * Inside a transaction, behind all changes: an index that has grown large gets sets of its frequent terms, and those of
 * which many documents have changed are renewed. Until then searches look at changed documents one by one, so that a
 * change costs next to nothing.
 */
export function followSets(folder: IndexFolder, needs: SetNeeds): void {
  chooseIfOutgrown(folder, needs)
  while (isRefreshDue(folder, needs)) for (const step of refreshSteps(folder, needs)) step()
}

/** Inside a transaction: decides of which terms sets are kept, if that was never done, or long ago. */
export function chooseIfOutgrown(folder: IndexFolder, needs: SetNeeds): void {
  const { documentCount } = needs
  const head = readChoiceHead(folder)
  if (isTooSmall(head, needs)) return
  const hasPrefixes = needs.isPrefixSearched()
  if (head !== undefined && !isOutgrown(head, documentCount, hasPrefixes)) return
  clearSets(folder)
  if (!isTooSmall(undefined, needs)) choose(folder, needs, hasPrefixes)
}

/**
 * Behind `chooseIfOutgrown`: renews the sets of as many ranges as there is memory for. Each step belongs into a transaction;
 * nothing else may change the index until the last one is done. More may be left.
 */
export function* refreshSteps(folder: IndexFolder, needs: SetNeeds): Iterable<() => void> {
  const choice = readChoice(folder)
  if (choice !== undefined) yield* new Refresh(folder, needs, choice).steps()
}

/** Whether `followSets` would do something. */
export function isRefreshDue(folder: IndexFolder, needs: SetNeeds): boolean {
  const head = readChoiceHead(folder)
  if (isTooSmall(head, needs)) return false
  if (head === undefined || isOutgrown(head, needs.documentCount, needs.isPrefixSearched())) return true
  return rangesDue(folder, needs, 1).length > 0
}

function isTooSmall(
  head: ChoiceHead | undefined,
  { documentCount, manyDocuments = MANY_DOCUMENTS }: SetNeeds,
): boolean {
  return head === undefined && documentCount < manyDocuments
}

/** The changed documents of those ranges in which there are many. */
function rangesDue(folder: IndexFolder, { mostChanged = MOST_CHANGED }: SetNeeds, maxRanges: number): Uint32Array {
  const due: number[] = []
  const last = rangeOf(folder.docIds().max)
  let left = maxRanges
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

class Refresh {
  private readonly lists: TermLists

  constructor(
    private readonly folder: IndexFolder,
    private readonly needs: SetNeeds,
    private readonly choice: TermChoice,
  ) {
    this.lists = new TermLists(choice)
  }

  *steps(): Iterable<() => void> {
    const { folder, needs, choice } = this
    const size = docsAtATime(choice)
    let stale = wholeRanges(rangesDue(folder, needs, Math.ceil(size / RANGE_SIZE)), size)
    if (stale.length === 0) return
    let logs = this.read(stale)
    while (logs === undefined) {
      stale = wholeRanges(stale, Math.ceil(stale.length / 2))
      logs = this.read(stale)
    }
    const parts = Array.from(rangesOf(stale), ({ range, docs }) => ({ range, docs, log: logs.get(range) }))
    for (let from = 0; from < parts.length; from += RANGES_OF_A_STEP) {
      const some = parts.slice(from, from + RANGES_OF_A_STEP)
      yield () => {
        for (const { range, docs, log = new RangeLog() } of some) this.renew(range, docs, log)
      }
    }
  }

  /** Undefined when they have far more words than documents had when terms were chosen. */
  private read(docIds: Uint32Array): ReadonlyMap<number, RangeLog> | undefined {
    const limits =
      docIds.length === 1 ? UNLIMITED : { maxBytes: MAX_READ_BYTES * 2, maxRangePlaces: MAX_RANGE_PLACES * 2 }
    return readRanges(this.folder, docIds, { lists: this.lists, ...limits, check: () => this.check() })
  }

  private renew(range: number, docs: Uint16Array, log: RangeLog): void {
    this.check()
    const { databases, environment } = this.folder
    const { choice, lists } = this
    const tokens = new RangeTokens(docs, log, lists)
    environment.inSlice(() => {
      const writer = new RangeWriter(databases.termSets, range, docs, choice.terms.length)
      writer.write(new RangeSets(choice, lists, tokens), () => this.check())
    })
    writeStale(this.folder, range, without(readStale(this.folder, range), docs))
  }

  private check(): void {
    throwIf(this.needs.isCancelled)
  }
}

/** A document is never cut. */
const UNLIMITED = { maxBytes: Number.POSITIVE_INFINITY, maxRangePlaces: Number.POSITIVE_INFINITY }

/** Documents with so many words that a range of them would not fit come in parts of ranges. */
function docsAtATime({ positionsPerDocument }: TermChoice): number {
  const ofARange = Math.ceil(MAX_RANGE_PLACES / positionsPerDocument)
  return ofARange < RANGE_SIZE ? ofARange : Math.ceil(MAX_READ_BYTES / (positionsPerDocument * PLACE_BYTES))
}

/** The first documents, as far as possible of whole ranges. */
function wholeRanges(docIds: Uint32Array, size: number): Uint32Array {
  if (docIds.length <= size) return docIds
  const first = lowerBound(docIds, rangeOf(docIds[size]!) * RANGE_SIZE)
  return docIds.subarray(0, first === 0 ? size : first)
}

/** Both ascend. */
function without(docs: Uint16Array, renewed: Uint16Array): Uint16Array {
  const gone = new Set(renewed)
  return docs.filter((doc) => !gone.has(doc))
}
