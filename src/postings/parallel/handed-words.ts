import { ByteWriter } from '../../bytes/index.js'
import type { FieldId, FieldRegistry, StoredDocument } from '../../documents/index.js'
import { encodeSettings, type Settings } from '../../settings/index.js'
import { JobCancelled } from '../../threads/index.js'
import { MAX_PAIR_BYTES } from '../block-cuts.js'
import type { RuleChange } from '../word-collector.js'
import type { WordWriter } from '../word-writer.js'
import { writeChange } from './change-codec.js'
import { PartReader } from './part-codec.js'
import type { WordReply } from './word-protocol.js'
import { type RunningThread, type WordThread, WordThreadLost } from './word-thread.js'

export interface HandedWordsOptions {
  readonly thread: WordThread
  readonly settings: { readonly before: Settings; readonly after: Settings }
  readonly rules: RuleChange
  readonly writer: WordWriter
  readonly maxBytes: number
  readonly maxPairBytes: number | undefined
  readonly isCancelled: () => boolean
}

/** Changes are handed over when so many bytes of them have gathered. */
const CHUNK_BYTES = 128 << 10

/**
 * The words of one batch, collected by the word thread and written here. The thread is told every change, in order, so
 * what it collects is what this thread would have collected.
 */
export class HandedWords {
  private readonly running: RunningThread
  private readonly registry: FieldRegistry
  private readonly out = new ByteWriter(CHUNK_BYTES + (CHUNK_BYTES >> 2))
  private readonly parts = new PartReader()
  private readonly wanted: (boolean | undefined)[] = []
  private knownNames: number
  /** All fields, once everything has come. */
  private names: readonly string[] | undefined

  constructor(private readonly options: HandedWordsOptions) {
    const { thread, rules, settings, maxBytes, maxPairBytes = MAX_PAIR_BYTES } = options
    this.registry = rules.after.registry
    this.running = thread.use()
    const names = [...this.registry.all()]
    this.knownNames = names.length
    const before = rules.before === rules.after ? undefined : encodeSettings(settings.before)
    const work = { before, after: encodeSettings(settings.after), maxBytes, maxPairBytes }
    this.running.send({ kind: 'begin', work, names })
  }

  change(docId: number, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    writeChange(this.out, { docId, before, after }, this.wants)
    if (this.out.length >= CHUNK_BYTES) this.hand()
  }

  /** No change follows. */
  end(): void {
    if (this.out.length > 0) this.hand()
    this.running.send({ kind: 'end' })
  }

  /** Writes what is still to come. */
  finish(): void {
    const names = this.running.wait(() => {
      this.takeReplies()
      return this.names
    })
    this.options.thread.rest()
    for (const [id, name] of names.entries()) {
      if (this.registry.number(name) !== id) throw new WordThreadLost(`it numbers the field "${name}" differently`)
    }
  }

  private hand(): void {
    const { handed } = this.options.thread
    handed.attempts++
    if (!this.running.isReady) handed.waits++
    this.running.wait(() => {
      this.takeReplies()
      return this.running.isReady || undefined
    })
    const names = this.registry.all().slice(this.knownNames)
    this.knownNames += names.length
    this.running.send({ kind: 'changes', names, bytes: this.out.take() })
  }

  private takeReplies(): void {
    if (this.options.isCancelled()) throw new JobCancelled()
    for (let reply = this.running.receive(); reply !== undefined; reply = this.running.receive()) this.take(reply)
  }

  private take(reply: WordReply): void {
    const { writer } = this.options
    switch (reply.kind) {
      case 'counts':
        for (const chunk of reply.chunks) writer.writeCounts(chunk)
        return
      case 'part':
        writer.inSlice(() => this.parts.read(reply.bytes, writer))
        return
      case 'endOfRun':
        writer.endRun()
        return
      case 'done':
        this.names = reply.names
        return
      case 'failed':
        throw new WordThreadLost(reply.message)
    }
  }

  private readonly wants = (fieldId: FieldId): boolean => (this.wanted[fieldId] ??= this.isWanted(fieldId))

  private isWanted(fieldId: FieldId): boolean {
    const { before, after } = this.options.rules
    return [before, after].some((rules) => rules.of(fieldId).isSearchable || rules.of(fieldId).hasWordsBelow)
  }
}
