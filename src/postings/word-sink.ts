import type { DocId, StoredDocument, StoredField } from '../documents/index.js'
import type { ChangeSink, ForeseenChanges, IndexFolder } from '../folder/index.js'
import type { Settings } from '../settings/index.js'
import { HandedWords } from './parallel/handed-words.js'
import type { WordThread } from './parallel/word-thread.js'
import { clearPrefixes } from './prefixes/short-prefix.js'
import { clearSets } from './sets/clear-sets.js'
import { noteStale } from './sets/stale-docs.js'
import { type RuleChange, WordCollector } from './word-collector.js'
import { writeJournal } from './word-journal.js'
import { WordWriter, type WordWriterOptions } from './word-writer.js'

export interface WordSinkOptions extends WordWriterOptions {
  /** Changes are written out when they take about this much memory, 64 MB unless given. */
  readonly maxBytes?: number | undefined
  /** Big batches are cut into words there, if it is given. */
  readonly helper?: WordHelper | undefined
}

/** The thread, and what it has to know to make the same rules. */
export interface WordHelper {
  readonly thread: WordThread
  /** Batches with fewer bytes of documents are not handed over, 1 MB unless given. */
  readonly minBatchBytes?: number | undefined
  readonly settings: { readonly before: Settings; readonly after: Settings }
}

const MAX_BYTES = 64 << 20

/** What has fewer bytes is done sooner than another thread is started. */
const MIN_BATCH_BYTES = 1 << 20

/**
 * Keeps postings, dictionary and word counts in step with the documents. `before` and `after` differ when settings
 * change: every document is then told with both sides the same.
 */
export class WordSink implements ChangeSink {
  private readonly collector: WordCollector
  private readonly writer: WordWriter
  private readonly maxBytes: number
  private handed: HandedWords | undefined
  private readonly changed: number[] = []

  constructor(
    private readonly folder: IndexFolder,
    private readonly rules: RuleChange,
    private readonly options: WordSinkOptions = {},
  ) {
    this.collector = new WordCollector(rules)
    this.writer = new WordWriter(folder, options)
    this.maxBytes = options.maxBytes ?? MAX_BYTES
  }

  foresee({ bytes }: ForeseenChanges): void {
    const { rules, writer, maxBytes } = this
    const { helper, maxPairBytes, isCancelled = () => false } = this.options
    if (!helper?.thread.isUsable || bytes < (helper.minBatchBytes ?? MIN_BATCH_BYTES)) return
    this.handed = new HandedWords({ ...helper, rules, writer, maxBytes, maxPairBytes, isCancelled })
  }

  change(docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    if (!this.hasSameText(before, after)) this.changed.push(docId)
    if (this.handed !== undefined) {
      this.handed.change(docId, before, after)
      return
    }
    this.collector.change(docId, before, after)
    if (this.collector.sizeBytes > this.maxBytes) this.writer.write(this.collector.take())
  }

  /** Prices and dates change more often than texts. */
  private hasSameText(before: StoredDocument | undefined, after: StoredDocument | undefined): boolean {
    const { rules } = this
    if (before === undefined || after === undefined || rules.before !== rules.after) return false
    const isRead = ({ fieldId }: StoredField) => {
      const { isSearchable, hasWordsBelow } = rules.after.of(fieldId)
      return isSearchable || hasWordsBelow
    }
    const [old, now] = [(before.asSent ?? before).filter(isRead), (after.asSent ?? after).filter(isRead)]
    return old.length === now.length && old.every((field, i) => isSameField(field, now[i]!))
  }

  end(): void {
    this.handed?.end()
  }

  finish(): void {
    if (this.handed === undefined) this.writer.write(this.collector.take())
    else this.handed.finish()
    this.writer.finish()
    noteStale(this.folder, this.changed)
  }
}

function isSameField(a: StoredField, b: StoredField): boolean {
  return a.fieldId === b.fieldId && Buffer.compare(a.value, b.value) === 0
}

/** Forgets all words. */
export function clearWords(folder: IndexFolder): void {
  const { databases } = folder
  databases.postings.clear()
  databases.dictionary.clear()
  databases.wordCounts.clear()
  clearPrefixes(folder)
  clearSets(folder)
  writeJournal(databases.wordJournal, folder.nextContentVersion(), 'everything')
}
