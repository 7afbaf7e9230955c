import type { Database } from '../../store/index.js'
import type { Postings } from '../model.js'
import { PostingsWriter } from '../postings-writer.js'
import type { WordSteps } from '../word-changes.js'
import { BeginningSteps } from './beginning-steps.js'
import { NetChanges } from './net-changes.js'
import { BEGINNING_PAIR_BYTES, letterEnd } from './short-beginning.js'

const NO_POSTINGS: Postings = { docIds: new Uint32Array(0), starts: new Uint32Array(1), positions: new Uint32Array(0) }

/** The words with one beginning, as far as they have come. */
class Group {
  readonly changes = new NetChanges()
  beginning: Buffer | undefined

  isOf(word: Buffer, end: number): boolean {
    return this.beginning?.length === end && word.compare(this.beginning, 0, end, 0, end) === 0
  }
}

export interface BeginningWriterOptions {
  /** No word loses anything, so that a group may be written in parts, each with so many positions. */
  readonly maxPositions?: number
}

/**
 * Writes what words gain and lose to their short beginnings. Words come in byte order, so those with one beginning come
 * one behind the other: what they change is put together, and written when the next beginning comes. A beginning of two
 * letters hands what it wrote on to that of its first letter.
 */
export class BeginningWriter {
  private readonly postings: PostingsWriter
  private readonly maxPositions: number
  private readonly one = new Group()
  private readonly two = new Group()

  constructor(database: Database, { maxPositions = Number.POSITIVE_INFINITY }: BeginningWriterOptions = {}) {
    this.postings = new PostingsWriter(database, { maxPairBytes: BEGINNING_PAIR_BYTES, hasFirsts: true })
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
    this.one.beginning ??= word.subarray(0, oneEnd)
    if (twoEnd === 0) return this.one
    this.two.beginning ??= word.subarray(0, twoEnd)
    return this.two
  }

  private close(group: Group): void {
    this.write(group)
    group.beginning = undefined
  }

  private write({ beginning, changes }: Group): void {
    if (beginning === undefined || changes.isEmpty) return
    const [losses, gains] = [changes.losses.merge(), changes.gains.merge()]
    changes.clear()
    this.postings.apply(beginning, new BeginningSteps(losses, gains).steps())
    if (beginning === this.one.beginning) return
    this.one.changes.addAll(losses, gains)
    if (this.one.changes.gains.positionCount > this.maxPositions) this.write(this.one)
  }
}
