import { workerData } from 'node:worker_threads'
import { FieldRegistry } from '../../documents/index.js'
import { compileFieldRoles, decodeSettings } from '../../settings/index.js'
import { BlockedAsker, type BlockingThreadData } from '../../threads/index.js'
import { type CollectedWords, WordCollector } from '../word-collector.js'
import { documentAnalyzer, WordRules } from '../word-rules.js'
import { readChanges } from './change-codec.js'
import { PartWriter } from './part-codec.js'
import {
  MAX_WAITING_PARTS,
  TAKEN_CHANGE_BYTES,
  TAKEN_PARTS,
  type WordReply,
  type WordRequest,
  type WordWork,
} from './word-protocol.js'

/**
 * The word thread: collects the words of the documents that it is sent, and hands them over sorted. It sees no store.
 * A thread that failed says so and is not used again.
 */
const data = workerData as BlockingThreadData
const asker = new BlockedAsker<WordReply>(data)
const { memory } = asker

/** A part is sent when it has so many bytes. */
const PART_BYTES = 1 << 20

let sentParts = 0

class Collecting {
  private readonly registry: FieldRegistry
  private readonly collector: WordCollector
  private readonly parts: PartWriter
  /** Names that came from the indexing thread. */
  private toldNames: number

  constructor(
    private readonly work: WordWork,
    names: readonly string[],
  ) {
    this.registry = new FieldRegistry(names)
    this.toldNames = names.length
    const after = this.rulesOf(work.after)
    const before = work.before === undefined ? after : this.rulesOf(work.before)
    this.collector = new WordCollector({ before, after })
    this.parts = new PartWriter(work.maxPairBytes)
  }

  private rulesOf(encoded: Uint8Array): WordRules {
    const settings = decodeSettings(encoded)
    return new WordRules(this.registry, compileFieldRoles(settings), documentAnalyzer(settings))
  }

  changes(names: readonly string[], bytes: Uint8Array): void {
    for (const name of names) this.register(name)
    for (const { docId, before, after } of readChanges(bytes)) {
      this.collector.change(docId, before, after)
      asker.beat()
      if (this.collector.sizeBytes > this.work.maxBytes) this.flush(this.collector.take())
    }
    Atomics.add(memory, TAKEN_CHANGE_BYTES, bytes.length)
    asker.ring()
  }

  /** Names that were found in documents here must not have got the number of another one there. */
  private register(name: string): void {
    const expected = this.toldNames++
    if (this.registry.number(name) !== expected) throw new Error(`the field "${name}" has two numbers`)
  }

  end(): void {
    this.flush(this.collector.take())
    asker.reply({ kind: 'done', names: [...this.registry.all()] })
  }

  private flush({ changes, counts }: CollectedWords): void {
    const chunks = counts.byChunk()
    if (chunks.length > 0) asker.reply({ kind: 'counts', chunks })
    if (changes.isEmpty) return
    changes.forEachWord((word, steps) => {
      this.parts.add(word, steps)
      asker.beat()
      if (this.parts.sizeBytes >= PART_BYTES) this.sendPart()
    })
    this.sendPart()
    asker.reply({ kind: 'endOfRun' })
  }

  /** Waits until the indexing thread has taken enough of those before. */
  private sendPart(): void {
    const bytes = this.parts.take()
    for (;;) {
      const taken = Atomics.load(memory, TAKEN_PARTS)
      if (((sentParts - taken) | 0) < MAX_WAITING_PARTS) break
      Atomics.wait(memory, TAKEN_PARTS, taken)
    }
    sentParts = (sentParts + 1) | 0
    asker.reply({ kind: 'part', bytes }, [bytes.buffer as ArrayBuffer])
  }
}

let collecting: Collecting | undefined

function handle(request: WordRequest): void {
  switch (request.kind) {
    case 'begin':
      collecting = new Collecting(request.work, request.names)
      return
    case 'changes':
      collecting!.changes(request.names, request.bytes)
      return
    case 'end':
      collecting!.end()
      collecting = undefined
  }
}

data.port.on('message', (request: WordRequest) => {
  try {
    handle(request)
  } catch (error) {
    asker.reply({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
