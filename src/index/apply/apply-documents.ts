import { Bitmap } from '../../bitmap/index.js'
import {
  type DocId,
  type DocumentValueSample,
  type FieldId,
  IdExtractor,
  inferPrimaryKey,
  MAX_FIELDS,
  mergeDocuments,
  type StoredDocument,
  seenValues,
  tooManyFields,
} from '../../documents/index.js'
import { type Failure, FailureError, failure } from '../../errors/index.js'
import type { PayloadDocument } from '../../payload/index.js'
import { JobCancelled } from '../../threads/index.js'
import { mergeVectors } from '../../vectors/index.js'
import type { DocumentWriter } from '../documents/document-writer.js'
import type { ShardTally } from '../shards/shard-tally.js'
import { FreeSlots } from './free-slots.js'
import type { DocumentOperation, JobHooks, TaskOutcome } from './job.js'
import { firstRecord, forEachRecord, idsOf } from './payload-source.js'

type Import = Extract<DocumentOperation, { kind: 'import' }>

/** Documents between two looks at the cancelation flag. */
const CHECK_EVERY = 256

export interface ApplyContext {
  readonly writer: DocumentWriter
  readonly indexUid: string
  readonly primaryKey: string | null
  readonly hooks: JobHooks
  /** Whether a document with this id is stored here; others are for other servers. */
  readonly keeps: (documentId: string) => boolean
  /** The documents of this task follow. */
  readonly beginTask: (number: number) => void
  /** Absent where documents are not counted by their shards. */
  readonly tally?: ShardTally | undefined
  /** A document came to another server before, which has handed it over. */
  readonly arrivedAs: (docId: DocId, arrival: number) => void
  /** The documents that a filter (JSON text) selects now; throws `FailureError`. */
  readonly selectByFilter: (filter: string) => Bitmap
}

export interface Applied {
  readonly outcomes: TaskOutcome[]
  readonly primaryKey: string | null
}

/**
 * Additions and deletions of one batch, in task order. First every payload is checked, so that a bad document fails
 * its own task and leaves no trace; then the good ones are applied (spec 2 §4.4, spec 3 §2.5-2.8).
 */
export function applyDocuments(context: ApplyContext, operations: readonly DocumentOperation[]): Applied {
  const filtered = operations.map((operation) =>
    operation.kind === 'deleteFilter' ? context.selectByFilter(operation.filter) : undefined,
  )
  const checked = checkImports(context, operations)
  if (checked.problems.every((problem) => problem !== undefined)) return nothingApplied(context, checked.problems)
  context.writer.learn()
  const applier = new Applier(context, checked.primaryKey)
  const outcomes = operations.map((operation, i): TaskOutcome => {
    const problem = checked.problems[i]
    if (problem !== undefined) return { ok: false, failure: problem }
    if (operation.kind === 'import') return { ok: true, indexed: applier.import(operation), ...byShard(context) }
    // A deletion that stands before the first key was known removes nothing and counts nothing.
    if (i < checked.keyKnownFrom || checked.primaryKey === null) return { ok: true, deleted: 0 }
    if (operation.kind === 'deleteIds') return { ok: true, deleted: applier.deleteIds(idsOf(operation.ids)) }
    return { ok: true, deleted: applier.deleteSelected(filtered[i]!), ...byShard(context) }
  })
  const isStored = outcomes.some((outcome) => outcome.ok)
  return { outcomes, primaryKey: isStored ? checked.primaryKey : context.primaryKey }
}

/** What the last task counted. */
export const byShard = ({ tally }: Pick<ApplyContext, 'tally'>) => tally && { byShard: tally.take() }

function nothingApplied({ primaryKey }: ApplyContext, problems: readonly Failure[]): Applied {
  return { outcomes: problems.map((problem) => ({ ok: false, failure: problem })), primaryKey }
}

interface Checked {
  readonly problems: (Failure | undefined)[]
  readonly primaryKey: string | null
  readonly keyKnownFrom: number
}

function checkImports(context: ApplyContext, operations: readonly DocumentOperation[]): Checked {
  const { registry } = context.writer
  let { primaryKey } = context
  let keyKnownFrom = primaryKey === null ? operations.length : 0
  const problems: (Failure | undefined)[] = []
  for (const [i, operation] of operations.entries()) {
    if (operation.kind !== 'import') {
      problems.push(undefined)
      continue
    }
    const resolved = resolveKey(context, operation, primaryKey)
    if (resolved.primaryKey !== null && primaryKey === null) {
      primaryKey = resolved.primaryKey
      keyKnownFrom = i
    }
    if (primaryKey !== null && !primaryKey.includes('.')) registry.register(primaryKey)
    // What nobody reads further must be whole all the same: a damaged file has no first names.
    if (resolved.problem !== undefined) forEachRecord(operation.payload, () => {})
    problems.push(resolved.problem ?? (resolved.isEmpty ? undefined : checkPayload(context, operation, primaryKey!)))
  }
  return { problems, primaryKey, keyKnownFrom }
}

interface ResolvedKey {
  readonly primaryKey: string | null
  readonly isEmpty: boolean
  readonly problem?: Failure
}

function resolveKey(context: ApplyContext, operation: Import, known: string | null): ResolvedKey {
  const first = firstRecord(operation.payload)
  if (first !== undefined && 'broken' in first) throw brokenDocument(context, first.broken)
  const isEmpty = first === undefined
  if (known !== null) {
    const isOther = operation.primaryKey !== null && operation.primaryKey !== known && !isEmpty
    const problem = isOther ? failure('index_primary_key_already_exists', context.indexUid, known) : undefined
    return { primaryKey: known, isEmpty, problem }
  }
  if (operation.primaryKey !== null) return { primaryKey: operation.primaryKey, isEmpty }
  if (isEmpty) return { primaryKey: null, isEmpty }
  if ('isTooWide' in first) return { primaryKey: null, isEmpty, problem: tooManyFields() }
  const { names } = first.document
  for (const name of names) context.writer.registry.register(name)
  const inferred = inferPrimaryKey(context.indexUid, names)
  return inferred.ok
    ? { primaryKey: inferred.value, isEmpty }
    : { primaryKey: null, isEmpty, problem: inferred.failure }
}

/** Too deep or too large values are found while indexing: they fail the whole batch (spec 3 §9.1, class B). */
function brokenDocument({ indexUid }: ApplyContext, reason: string): FailureError {
  return new FailureError(failure('internal', `index "${indexUid}": ${reason}`))
}

/** The first bad document of a payload, or undefined; the names of a good payload are registered. */
function checkPayload(context: ApplyContext, operation: Import, primaryKey: string): Failure | undefined {
  const extractor = new IdExtractor(primaryKey)
  const names = new Set<string>()
  let problem: Failure | undefined
  let lastNames: readonly string[] | undefined
  let isTooWide = false
  forEachRecord(operation.payload, (record) => {
    if (problem !== undefined) return
    if ('broken' in record) throw brokenDocument(context, record.broken)
    if ('isTooWide' in record) {
      isTooWide = true
      return
    }
    if (record.document.names !== lastNames) for (const name of record.document.names) names.add(name)
    lastNames = record.document.names
    context.writer.foresee(storedValues(record.document))
    problem = extractor.problemOf(record.document)
  })
  if (problem !== undefined) return problem
  if (isTooWide || names.size > MAX_FIELDS) return tooManyFields()
  for (const name of names) context.writer.registry.register(name)
  return undefined
}

/** Vectors are taken out of documents before they are stored; what is left of them is not worth learning from. */
function storedValues(document: PayloadDocument): DocumentValueSample {
  const vectors = document.names.indexOf('_vectors')
  return vectors === -1 ? document : seenValues(document.values.filter((_, i) => i !== vectors))
}

/** The names of a document, and its fields in the order of their numbers: `at` says which of the values is theirs. */
interface Shape {
  readonly names: readonly string[]
  readonly fields: readonly { readonly fieldId: FieldId; readonly at: number }[]
}

class Applier {
  private readonly slots: FreeSlots
  /** Ids that are not in the store now but took or keep a slot in this batch. */
  private readonly reserved = new Map<string, DocId>()
  private readonly extractor: IdExtractor
  private shape: Shape = { names: [], fields: [] }
  private steps = 0
  /** Documents of the payload that is being applied. */
  private seen = Bitmap.empty()

  constructor(
    private readonly context: ApplyContext,
    primaryKey: string | null,
  ) {
    this.slots = new FreeSlots(context.writer.taken.clone())
    this.extractor = new IdExtractor(primaryKey ?? '')
  }

  /** Answers the number of distinct ids in the payload that are kept here. */
  import(operation: Import): number {
    this.seen = Bitmap.empty()
    this.context.beginTask(operation.task ?? 0)
    let place = 0
    forEachRecord(operation.payload, (record) => {
      this.step()
      if (!('document' in record)) return
      const docId = this.importOne(operation, record.document)
      const arrival = operation.arrivals?.[place++]
      if (docId !== undefined && arrival !== undefined) this.context.arrivedAs(docId, arrival)
    })
    return this.seen.size
  }

  /** Only the first of several documents with one id counts. */
  private counted(id: string, docId: DocId): DocId {
    if (this.context.tally !== undefined && !this.seen.has(docId)) this.context.tally.add(id)
    this.seen.add(docId)
    return docId
  }

  /** Answers the number of distinct ids given, known or not. */
  deleteIds(ids: readonly string[]): number {
    const { writer } = this.context
    const distinct = new Set(ids)
    for (const id of distinct) {
      this.step()
      if (!this.context.keeps(id)) continue
      const docId = writer.find(id)
      if (docId === undefined) this.slotOf(id)
      else this.remove(id, docId)
    }
    return distinct.size
  }

  /** Answers the number of documents that the filter selected before the batch. */
  deleteSelected(selected: Bitmap): number {
    this.context.tally?.addStored(selected)
    for (const docId of selected) {
      this.step()
      if (this.context.writer.taken.has(docId)) this.remove(this.idOf(docId as DocId), docId as DocId)
    }
    return selected.size
  }

  private importOne(operation: Import, document: PayloadDocument): DocId | undefined {
    const { writer } = this.context
    const id = this.extractor.extract(document)
    if (!id.ok) throw new FailureError(id.failure)
    if (!this.isWanted(operation, id.value)) return undefined
    const slot = this.reserved.get(id.value) ?? this.slots.peek()
    const existing = operation.skipCreation ? writer.find(id.value) : writer.findOrName(id.value, slot)
    if (existing === undefined && operation.skipCreation) return this.counted(id.value, this.slotOf(id.value))
    const docId = existing ?? this.occupy(id.value, slot)
    const before = existing === undefined ? undefined : writer.read(existing)
    const fields = this.toStored(document)
    const after = before !== undefined && operation.method === 'update' ? this.merge(before, fields) : fields
    writer.put({ documentId: id.value, docId, document: after, before, sentNames: document.names })
    return this.counted(id.value, docId)
  }

  private isWanted({ handedOver }: Import, id: string): boolean {
    // Asked in any case, since that counts the documents of the task.
    const isKept = this.context.keeps(id)
    if (handedOver === undefined) return isKept
    return handedOver === 'all' || this.context.writer.find(id) === undefined
  }

  /** A slot that is reserved for the id, or the next free one. */
  private occupy(id: string, slot: DocId): DocId {
    if (!this.reserved.delete(id)) this.slots.take()
    return slot
  }

  private merge(before: StoredDocument, fields: StoredDocument): StoredDocument {
    const vectors = this.context.writer.registry.idOf('_vectors')
    return mergeDocuments(before, vectors === undefined ? fields : mergeVectors(before, fields, vectors))
  }

  private remove(id: string, docId: DocId): void {
    this.context.writer.remove(id, docId)
    this.reserved.set(id, docId)
  }

  private slotOf(id: string): DocId {
    const kept = this.reserved.get(id)
    if (kept !== undefined) return kept
    const slot = this.slots.take()
    this.reserved.set(id, slot)
    return slot
  }

  private toStored({ names, values }: PayloadDocument): StoredDocument {
    if (names !== this.shape.names) this.shape = { names, fields: this.fieldsOf(names) }
    return this.shape.fields.map(({ fieldId, at }) => ({ fieldId, value: values[at]! }))
  }

  private fieldsOf(names: readonly string[]): Shape['fields'] {
    const { registry } = this.context.writer
    const fields = names.map((name, at) => ({ fieldId: registry.register(name), at }))
    return fields.sort((a, b) => a.fieldId - b.fieldId)
  }

  private idOf(docId: DocId): string {
    return documentIdOf(this.context.writer, this.extractor, docId)
  }

  private step(): void {
    if (++this.steps % CHECK_EVERY !== 0) return
    if (this.context.hooks.isCancelled()) throw new JobCancelled()
    this.context.hooks.progress('applying documents', this.steps, this.steps)
  }
}

/** The document id of a stored document. */
export function documentIdOf(writer: DocumentWriter, extractor: IdExtractor, docId: DocId): string {
  const document = writer.read(docId)
  const names = document.map(({ fieldId }) => writer.registry.nameOf(fieldId))
  const id = extractor.extract({ names, values: document.map(({ value }) => value) })
  if (!id.ok) throw new Error(`document ${docId} has no id: ${id.failure.message}`)
  return id.value
}

/** A batch of deletions only: each counts what it really removed, and a failing filter fails its task alone. */
export function applyDeletions(context: ApplyContext, operations: readonly DocumentOperation[]): TaskOutcome[] {
  return operations.map((operation): TaskOutcome => {
    if (context.hooks.isCancelled()) throw new JobCancelled()
    if (operation.kind === 'deleteIds')
      return { ok: true, deleted: removeIds(context, idsOf(operation.ids)), ...byShard(context) }
    if (operation.kind === 'import') throw new Error('an addition is in a batch of deletions')
    try {
      return {
        ok: true,
        deleted: removeSelected(context, context.selectByFilter(operation.filter)),
        ...byShard(context),
      }
    } catch (error) {
      if (error instanceof FailureError) return { ok: false, failure: error.failure }
      throw error
    }
  })
}

function removeIds({ writer, tally }: ApplyContext, ids: readonly string[]): number {
  let removed = 0
  for (const id of new Set(ids)) {
    const docId = writer.find(id)
    if (docId === undefined) continue
    writer.remove(id, docId)
    tally?.add(id)
    removed++
  }
  return removed
}

/** Answers how many there were of them. */
export function removeSelected(
  context: ApplyContext,
  selected: Bitmap,
  step: (removed: number) => void = () => {},
): number {
  const extractor = new IdExtractor(context.primaryKey ?? '')
  let removed = 0
  for (const docId of selected.and(context.writer.taken)) {
    const id = documentIdOf(context.writer, extractor, docId as DocId)
    context.writer.remove(id, docId as DocId)
    context.tally?.add(id)
    step(++removed)
  }
  return removed
}
