import { Bitmap } from '../../bitmap/index.js'
import { byteOrderOf } from '../../byte-order/index.js'
import type { DocId, FieldId } from '../../documents/index.js'
import type { Database } from '../../store/index.js'
import type { DocumentValues } from '../values/document-values.js'
import { sortableNumber } from '../values/sortable-number.js'
import { chunkedKey, chunkedStringKey, type FactKey, markKey, NUMBER_SHIFTS, numberKey } from './facet-key.js'
import { FactSteps, type SortedSteps } from './fact-steps.js'

/** Changes are written out when they take about this much memory. */
const MAX_BYTES = 64 << 20

/** A fact with its text and its entry in a map, and a step with its place when all are sorted, roughly. */
const FACT_BYTES = 200
const STEP_BYTES = 16

/** Facts that are written in one slice. Each is on a page of its own, at worst. */
const SLICE_FACTS = 4096

/** The facts of one field by what they say, each with its number. */
interface FieldFacts {
  readonly exists: number
  readonly isNull: number
  readonly isEmpty: number
  /** For each number its fact at every precision, some of which it shares with other numbers. */
  readonly numbers: Map<number, readonly number[]>
  readonly texts: Map<string, number>
  /** All but texts. */
  readonly byKey: Map<FactKey, number>
}

/** Keeps the facet database in step with the documents. Only facts that a document gains or loses are touched. */
export class FacetWriter {
  private fields = new Map<FieldId, FieldFacts>()
  private factCount = 0
  private steps = new FactSteps()
  private sizeBytes = 0
  /** Scratch. */
  private readonly found: number[] = []

  /** With `inSlice` large pieces of the writing are done in there: see `Environment.inSlice`. */
  constructor(
    private readonly database: Database,
    private readonly inSlice: (work: () => void) => void = (work) => work(),
  ) {}

  change(docId: DocId, before: DocumentValues | undefined, after: DocumentValues | undefined): void {
    const { steps } = this
    if (before === undefined) for (const fact of this.factsOf(after)) steps.gain(fact, docId)
    else if (after === undefined) for (const fact of this.factsOf(before)) steps.lose(fact, docId)
    else this.changeBetween(docId, before, after)
    if (this.sizeBytes > MAX_BYTES) this.finish()
  }

  private changeBetween(docId: DocId, before: DocumentValues, after: DocumentValues): void {
    const old = new Set(this.factsOf(before))
    const now = new Set(this.factsOf(after))
    for (const fact of old) if (!now.has(fact)) this.steps.lose(fact, docId)
    for (const fact of now) if (!old.has(fact)) this.steps.gain(fact, docId)
  }

  /** In key order, which LMDB likes best. */
  finish(): void {
    const store = new FactStore(this.database, this.steps.byFact(this.factCount))
    for (const field of [...this.fields.keys()].sort((a, b) => a - b)) this.writeFacts(store, field)
    this.fields = new Map()
    this.factCount = 0
    this.steps = new FactSteps()
    this.sizeBytes = 0
  }

  /** In the order of the keys. */
  private writeFacts(store: FactStore, field: FieldId): void {
    const { byKey, texts } = this.fields.get(field)!
    const others = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
    this.writeEach(others, ([key, fact]) => store.write(chunkedKey(key, 0), fact))
    const norms = [...texts.keys()]
    const facts = [...texts.values()]
    this.writeEach(byteOrderOf(norms), (i) => store.write(chunkedStringKey(field, norms[i]!, 0), facts[i]!))
  }

  private writeEach<T>(items: ArrayLike<T>, write: (item: T) => void): void {
    for (let first = 0; first < items.length; first += SLICE_FACTS) {
      const end = Math.min(first + SLICE_FACTS, items.length)
      const writeSome = (): void => {
        for (let i = first; i < end; i++) write(items[i]!)
      }
      if (items.length < SLICE_FACTS) writeSome()
      else this.inSlice(writeSome)
    }
  }

  /** Coarse precisions of several numbers may be there several times. Good until the next call. */
  private factsOf(values: DocumentValues = NO_VALUES): readonly number[] {
    const { found } = this
    found.length = 0
    for (const [field, { row, isNull, isEmpty }] of values) {
      const known = this.fields.get(field) ?? this.newField(field)
      found.push(known.exists)
      if (isNull) found.push(known.isNull)
      if (isEmpty) found.push(known.isEmpty)
      for (const value of row) {
        if (typeof value !== 'number') found.push(known.texts.get(value.norm) ?? this.newText(known, value.norm))
        else for (const fact of known.numbers.get(value) ?? this.newNumber(known, field, value)) found.push(fact)
      }
    }
    this.sizeBytes += found.length * STEP_BYTES
    return found
  }

  private newField(field: FieldId): FieldFacts {
    const byKey = new Map<FactKey, number>()
    const made: FieldFacts = {
      exists: this.factOf(byKey, markKey(field, 'exists')),
      isNull: this.factOf(byKey, markKey(field, 'isNull')),
      isEmpty: this.factOf(byKey, markKey(field, 'isEmpty')),
      numbers: new Map(),
      texts: new Map(),
      byKey,
    }
    this.fields.set(field, made)
    return made
  }

  private newNumber({ numbers, byKey }: FieldFacts, field: FieldId, value: number): readonly number[] {
    const sortable = sortableNumber(value)
    const facts = NUMBER_SHIFTS.map((shift) => this.factOf(byKey, numberKey(field, sortable, shift)))
    numbers.set(value, facts)
    return facts
  }

  private newText({ texts }: FieldFacts, norm: string): number {
    texts.set(norm, this.factCount)
    this.sizeBytes += FACT_BYTES + norm.length
    return this.factCount++
  }

  private factOf(byKey: Map<FactKey, number>, key: FactKey): number {
    const known = byKey.get(key)
    if (known !== undefined) return known
    byKey.set(key, this.factCount)
    this.sizeBytes += FACT_BYTES + key.length
    return this.factCount++
  }
}

const NO_VALUES: DocumentValues = new Map()

/** The stored facts, and the steps that change them. */
class FactStore {
  /** As long as nothing is stored no fact has to be looked for. */
  private readonly isEmpty: boolean

  constructor(
    private readonly database: Database,
    private readonly steps: SortedSteps,
  ) {
    this.isEmpty = Array.from(database.keys({ limit: 1 })).length === 0
  }

  /** `key` is that of the fact in any chunk, and is changed. */
  write(key: Buffer, fact: number): void {
    const { bounds, docIds, losses } = this.steps
    const first = bounds[fact]!
    const end = bounds[fact + 1]!
    if (first === end) return
    const isAlone = end - first === 1
    if (isAlone && losses === undefined) this.gainOne(key, docIds[first]!)
    else for (const part of byChunk(docIds.subarray(first, end), losses?.subarray(first, end))) this.apply(key, part)
  }

  /** Most facts that are new are those of one document. */
  private gainOne(key: Buffer, docId: number): void {
    const stored = this.read(key, docId)
    if (stored === undefined) this.database.put(key, Bitmap.serializeOne(docId))
    else this.put(key, withSteps(stored, { docIds: Uint32Array.of(docId), losses: undefined }))
  }

  private apply(key: Buffer, steps: FactChange): void {
    const ids = withSteps(this.read(key, steps.docIds[0]!), steps)
    if (ids.isEmpty) this.database.delete(key)
    else this.put(key, ids)
  }

  /** What is stored of the chunk of a document, which becomes that of `key`. */
  private read(key: Buffer, docId: number): Uint8Array | undefined {
    key.writeUInt16BE(docId >>> 16, key.length - 2)
    return this.isEmpty ? undefined : this.database.getBorrowed(key)
  }

  private put(key: Buffer, ids: Bitmap): void {
    ids.runOptimize()
    this.database.put(key, ids.serialize())
  }
}

/** Steps of one fact, as in `SortedSteps`. */
type FactChange = Omit<SortedSteps, 'bounds'>

/** Steps by the high 16 bits of their docIds, each in the order in which they were told. */
function byChunk(docIds: Uint32Array, losses: Uint8Array | undefined): readonly FactChange[] {
  const chunk = docIds[0]! >>> 16
  if (docIds.every((docId) => docId >>> 16 === chunk)) return [{ docIds, losses }]
  const chunks = new Map<number, number[]>()
  for (const [i, docId] of docIds.entries()) {
    const known = chunks.get(docId >>> 16)
    if (known === undefined) chunks.set(docId >>> 16, [i])
    else known.push(i)
  }
  return [...chunks]
    .sort(([a], [b]) => a - b)
    .map(([, steps]) => ({
      docIds: Uint32Array.from(steps, (i) => docIds[i]!),
      losses: losses && Uint8Array.from(steps, (i) => losses[i]!),
    }))
}

function withSteps(stored: Uint8Array | undefined, { docIds, losses }: FactChange): Bitmap {
  if (losses !== undefined) return withChanges(stored, docIds, losses)
  const gained = Bitmap.fromUnsorted(docIds)
  if (stored === undefined) return gained
  const ids = Bitmap.deserialize(stored)
  ids.orWith(gained)
  return ids
}

/** One after the other: what was told last of a docId counts. */
function withChanges(stored: Uint8Array | undefined, docIds: Uint32Array, losses: Uint8Array): Bitmap {
  const ids = stored === undefined ? Bitmap.empty() : Bitmap.deserialize(stored)
  for (let i = 0; i < docIds.length; i++) {
    if (losses[i] === 0) ids.add(docIds[i]!)
    else ids.remove(docIds[i]!)
  }
  return ids
}
