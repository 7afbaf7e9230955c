import { Bitmap } from '../../bitmap/index.js'
import type { Database } from '../../store/index.js'
import type { ChangeSink } from '../apply/document-writer.js'
import type { DocId, StoredDocument } from '../documents/stored-document.js'
import { type FactRules, factsOf } from './facet-facts.js'
import { chunkedKey, type FactKey } from './facet-key.js'

/** Changes are written out when this many have gathered, so that memory stays bounded. */
const FLUSH_CHANGES = 500_000

/** The docIds that gain or lose a fact, in the order in which it was told: gains as they are, losses as -1 - docId. */
interface Change {
  readonly steps: number[]
  hasLosses: boolean
}

/**
 * Keeps the facet database in step with the documents. Only facts that a document gains or loses are touched.
 * `before` and `after` differ when settings change: every document is then told with both sides the same.
 */
export class FacetSink implements ChangeSink {
  private changes = new Map<string, Change>()
  private count = 0

  constructor(
    private readonly database: Database,
    private readonly before: FactRules,
    private readonly after: FactRules,
  ) {}

  change(docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    const old = before === undefined ? new Set<FactKey>() : factsOf(before, this.before)
    const now = after === undefined ? new Set<FactKey>() : factsOf(after, this.after)
    for (const fact of old) if (!now.has(fact)) this.lose(fact, docId)
    for (const fact of now) if (!old.has(fact)) this.changeOf(fact, docId).steps.push(docId)
    if (this.count >= FLUSH_CHANGES) this.flush()
  }

  finish(): void {
    this.flush()
  }

  private lose(fact: FactKey, docId: DocId): void {
    const change = this.changeOf(fact, docId)
    change.steps.push(-1 - docId)
    change.hasLosses = true
  }

  private changeOf(fact: FactKey, docId: DocId): Change {
    this.count++
    const key = chunkedKey(fact, docId >>> 16).toString('latin1')
    const known = this.changes.get(key)
    if (known !== undefined) return known
    const change = { steps: [], hasLosses: false }
    this.changes.set(key, change)
    return change
  }

  /** In key order, which LMDB likes best. */
  private flush(): void {
    for (const key of [...this.changes.keys()].sort()) this.apply(Buffer.from(key, 'latin1'), this.changes.get(key)!)
    this.changes = new Map()
    this.count = 0
  }

  private apply(key: Buffer, change: Change): void {
    const stored = this.database.getBorrowed(key)
    const ids = stored === undefined ? Bitmap.empty() : Bitmap.deserialize(stored)
    if (change.hasLosses) applySteps(ids, change.steps)
    else ids.orWith(Bitmap.fromUnsorted(change.steps))
    if (ids.isEmpty) this.database.delete(key)
    else {
      ids.runOptimize()
      this.database.put(key, ids.serialize())
    }
  }
}

/** One after the other: what was told last of a docId counts. */
function applySteps(ids: Bitmap, steps: readonly number[]): void {
  for (const step of steps) {
    if (step >= 0) ids.add(step)
    else ids.remove(-1 - step)
  }
}
