import type { StoredDocument } from '../documents/index.js'
import { type WordNumbering, wordNumbering } from '../text/index.js'
import { ChangedText } from './changed-text.js'
import { DocumentWords } from './document-words.js'
import { WordChanges } from './word-changes.js'
import { MANY_WORDS, WordCountChanges } from './word-counts.js'
import { WordDifference } from './word-difference.js'
import type { WordRules } from './word-rules.js'

/** The rules differ when settings change: every document is then told with both sides the same. */
export interface RuleChange {
  readonly before: WordRules
  readonly after: WordRules
}

/** What has to be written. */
export interface CollectedWords {
  readonly changes: WordChanges
  readonly counts: WordCountChanges
}

/**
 * Gathers what documents gain and lose: only texts that differ are cut, and only words that a document gains or loses,
 * or that move, are told. Knows no store.
 */
export class WordCollector {
  private changes = new WordChanges()
  private counts = new WordCountChanges()
  private readonly changedText: ChangedText
  private readonly old: DocumentWords
  private readonly now: DocumentWords
  private readonly difference: WordDifference

  constructor(rules: RuleChange) {
    const numbering = numberingOf(this.changes)
    this.changedText = new ChangedText(rules.before, rules.after)
    this.old = new DocumentWords(rules.before, numbering)
    this.now = new DocumentWords(rules.after, numbering)
    this.difference = new WordDifference(this.old, this.now)
  }

  /** How much memory it takes, roughly. */
  get sizeBytes(): number {
    return this.changes.sizeBytes + this.counts.sizeBytes
  }

  change(docId: number, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    const selection = this.changedText.of(before, after)
    if (before === undefined) this.old.forget()
    else this.old.read(before, selection)
    if (after === undefined) this.now.forget()
    else this.now.read(after, selection)
    this.difference.tell(this.changes, docId)
    this.countWords(docId)
  }

  /** Hands out what was gathered, and begins anew. */
  take(): CollectedWords {
    const { changes, counts } = this
    this.changes = new WordChanges()
    this.counts = new WordCountChanges()
    this.old.numbering = this.now.numbering = numberingOf(this.changes)
    return { changes, counts }
  }

  private countWords(docId: number): void {
    const { old, now } = this
    for (const fieldId of now.fields.touched) {
      const count = Math.min(now.fields.wordCount(fieldId), MANY_WORDS)
      if (count !== Math.min(old.fields.wordCount(fieldId), MANY_WORDS)) this.counts.set(fieldId, docId, count)
    }
    for (const fieldId of old.fields.touched) {
      if (now.fields.wordCount(fieldId) === 0 && old.fields.wordCount(fieldId) > 0) this.counts.set(fieldId, docId, 0)
    }
  }
}

function numberingOf(changes: WordChanges): WordNumbering {
  return wordNumbering((word) => changes.numberOf(word))
}
