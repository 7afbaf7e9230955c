import type { Database } from '../../store/index.js'
import type { Postings } from '../model.js'
import { PostingsWriter } from '../postings-writer.js'
import type { WordSteps } from '../word-changes.js'
import { NetChanges } from './net-changes.js'
import { PrefixSteps } from './prefix-steps.js'
import { letterEnd, PREFIX_PAIR_BYTES } from './short-prefix.js'

const NO_POSTINGS: Postings = { docIds: new Uint32Array(0), starts: new Uint32Array(1), positions: new Uint32Array(0) }

/** The words with one prefix, as far as they have come. */
class Group {
  readonly changes = new NetChanges()
  prefix: Buffer | undefined

  isOf(word: Buffer, end: number): boolean {
    return this.prefix?.length === end && word.compare(this.prefix, 0, end, 0, end) === 0
  }
}

export interface PrefixWriterOptions {
  /** No word loses anything, so that a group may be written in parts, each with so many positions. */
  readonly maxPositions?: number
}

/**
 * Writes what words gain and lose to their short prefixes. Words come in byte order, so those with one prefix come
 * one behind the other: what they change is put together, and written when the next prefix comes. A prefix of two
 * letters hands what it wrote on to that of its first letter.
 */
export class PrefixWriter {
  private readonly postings: PostingsWriter
  private readonly maxPositions: number
  private readonly one = new Group()
  private readonly two = new Group()

  constructor(database: Database, { maxPositions = Number.POSITIVE_INFINITY }: PrefixWriterOptions = {}) {
    this.postings = new PostingsWriter(database, { maxPairBytes: PREFIX_PAIR_BYTES, hasFirsts: true })
    this.maxPositions = maxPositions
  }

  add(word: Buffer, steps: WordSteps): void {
    this.groupOf(word)?.changes.add(steps)
  }

  /** A word, or the next part of it, that is gained as a whole. */
  addGains(word: Buffer, gains: Postings): void {
    const group = this.groupOf(word)
    if (group === undefined) return
    group.changes.addAll(NO_POSTINGS, gains)
    if (group.changes.gains.positionCount > this.maxPositions) this.write(group)
  }

  /** The run is over: the next word may be any. */
  endRun(): void {
    this.close(this.two)
    this.close(this.one)
  }

  private groupOf(word: Buffer): Group | undefined {
    const oneEnd = letterEnd(word, 0)
    const twoEnd = oneEnd === 0 ? 0 : letterEnd(word, oneEnd)
    if (!this.two.isOf(word, twoEnd)) this.close(this.two)
    if (!this.one.isOf(word, oneEnd)) this.close(this.one)
    if (oneEnd === 0) return undefined
    this.one.prefix ??= word.subarray(0, oneEnd)
    if (twoEnd === 0) return this.one
    this.two.prefix ??= word.subarray(0, twoEnd)
    return this.two
  }

  private close(group: Group): void {
    this.write(group)
    group.prefix = undefined
  }

  private write({ prefix, changes }: Group): void {
    if (prefix === undefined || changes.isEmpty) return
    const [losses, gains] = [changes.losses.merge(), changes.gains.merge()]
    changes.clear()
    this.postings.apply(prefix, new PrefixSteps(losses, gains).steps())
    if (prefix === this.one.prefix) return
    this.one.changes.addAll(losses, gains)
    if (this.one.changes.gains.positionCount > this.maxPositions) this.write(this.one)
  }
}
