import type { ChangeSink } from '../apply/document-writer.js'
import type { DocId, StoredDocument } from '../documents/stored-document.js'
import type { IndexFolder } from '../folder/index-folder.js'
import { ChangedText } from './changed-text.js'
import { type DictionaryChange, DictionaryWriter } from './dictionary-writer.js'
import { DocumentWords } from './document-words.js'
import { PostingsWriter } from './postings-writer.js'
import { WordChanges } from './word-changes.js'
import { MANY_WORDS, WordCountChanges } from './word-counts.js'
import { WordDifference } from './word-difference.js'
import { JournalEntry, writeJournal } from './word-journal.js'
import type { WordRules } from './word-rules.js'

export interface WordSinkOptions {
  /** Changes are written out when they take about this much memory, 64 MB unless given. */
  readonly maxBytes?: number
  /** Of a block of postings with its key. */
  readonly maxPairBytes?: number
  /** Of a block of the dictionary. */
  readonly maxWords?: number
}

const MAX_BYTES = 64 << 20

/**
 * Keeps postings, dictionary and word counts in step with the documents. Only texts that differ are cut, and only words
 * that a document gains or loses, or that move, are touched. `before` and `after` differ when settings change: every
 * document is then told with both sides the same.
 */
export class WordSink implements ChangeSink {
  private changes = new WordChanges()
  private readonly counts: WordCountChanges
  private readonly journal = new JournalEntry()
  private readonly postings: PostingsWriter
  private readonly dictionary: DictionaryWriter
  private readonly changedText: ChangedText
  private readonly old: DocumentWords
  private readonly now: DocumentWords
  private readonly difference: WordDifference
  /** As long as nothing is stored no word has to be looked for. */
  private isStoreEmpty: boolean

  constructor(
    private readonly folder: IndexFolder,
    rules: { readonly before: WordRules; readonly after: WordRules },
    private readonly options: WordSinkOptions = {},
  ) {
    const { databases } = folder
    const numberOf = (word: string): number => this.changes.numberOf(word)
    this.counts = new WordCountChanges(databases.wordCounts)
    this.postings = new PostingsWriter(databases.postings, options.maxPairBytes)
    this.dictionary = new DictionaryWriter(databases.dictionary, folder.nextVersion(), options.maxWords)
    this.changedText = new ChangedText(rules.before, rules.after)
    this.old = new DocumentWords(rules.before, numberOf)
    this.now = new DocumentWords(rules.after, numberOf)
    this.difference = new WordDifference(this.old, this.now)
    this.isStoreEmpty = Array.from(databases.postings.keys({ limit: 1 })).length === 0
  }

  change(docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    const selection = this.changedText.of(before, after)
    if (before === undefined) this.old.forget()
    else this.old.read(before, selection)
    if (after === undefined) this.now.forget()
    else this.now.read(after, selection)
    this.difference.tell(this.changes, docId)
    this.countWords(docId)
    if (this.changes.sizeBytes + this.counts.sizeBytes > (this.options.maxBytes ?? MAX_BYTES)) this.flush()
  }

  finish(): void {
    this.flush()
    writeJournal(this.folder.databases.wordJournal, this.folder.nextVersion(), this.journal.words)
  }

  private countWords(docId: DocId): void {
    const { old, now } = this
    for (const fieldId of now.fields.touched) {
      const count = Math.min(now.fields.wordCount(fieldId), MANY_WORDS)
      if (count !== Math.min(old.fields.wordCount(fieldId), MANY_WORDS)) this.counts.set(fieldId, docId, count)
    }
    for (const fieldId of old.fields.touched) {
      if (now.fields.wordCount(fieldId) === 0 && old.fields.wordCount(fieldId) > 0) this.counts.set(fieldId, docId, 0)
    }
  }

  private flush(): void {
    this.counts.flush()
    if (this.changes.isEmpty) return
    const dictionaryChanges: DictionaryChange[] = []
    this.changes.forEachWord((text, steps) => {
      const word = Buffer.from(text)
      const outcome = this.isStoreEmpty ? this.postings.create(word, steps) : this.postings.apply(word, steps)
      this.journal.add(text, outcome !== 'stayed')
      if (outcome !== 'stayed') dictionaryChanges.push({ word, isGained: outcome === 'appeared' })
    })
    this.dictionary.apply(dictionaryChanges)
    this.changes = new WordChanges()
    this.isStoreEmpty = false
  }
}

/** Forgets all words. */
export function clearWords(folder: IndexFolder): void {
  const { databases } = folder
  databases.postings.clear()
  databases.dictionary.clear()
  databases.wordCounts.clear()
  writeJournal(databases.wordJournal, folder.nextVersion(), 'everything')
}
