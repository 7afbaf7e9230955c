import { Bitmap } from '../../bitmap/index.js'
import type { Database } from '../../store/index.js'
import type { DocId } from '../documents/stored-document.js'
import type { FieldId } from '../fields/field-registry.js'
import type { DocumentValues } from './document-values.js'
import { chunkedKey, type FactKey, markKey, NUMBER_SHIFTS, numberKey, sortableNumber, stringKey } from './facet-key.js'

/** Changes are written out when they take about this much memory. */
const MAX_BYTES = 64 << 20

/** A fact with its key, its entries in two maps and its list, and a step in that list, roughly. */
const FACT_BYTES = 300
const STEP_BYTES = 12

/** The docIds that gain or lose a fact, in the order in which it was told: gains as they are, losses as -1 - docId. */
interface Change {
  readonly fact: FactKey
  steps: number[]
  hasLosses: boolean
}

/** The facts of one field by what they say, so that the key of each is made once for many documents. */
interface FieldChanges {
  readonly exists: Change
  readonly isNull: Change
  readonly isEmpty: Change
  /** For each number its change at every precision, some of which it shares with other numbers. */
  readonly numbers: Map<number, readonly Change[]>
  readonly texts: Map<string, Change>
}

/** Keeps the facet database in step with the documents. Only facts that a document gains or loses are touched. */
export class FacetWriter {
  private fields = new Map<FieldId, FieldChanges>()
  /** All that the fields have, by fact. */
  private changes = new Map<FactKey, Change>()
  private sizeBytes = 0

  constructor(private readonly database: Database) {}

  change(docId: DocId, before: DocumentValues | undefined, after: DocumentValues | undefined): void {
    if (before === undefined) this.forEachFact(after, (change) => change.steps.push(docId))
    else if (after === undefined) this.forEachFact(before, (change) => lose(change, docId))
    else this.changeBetween(docId, before, after)
    if (this.sizeBytes > MAX_BYTES) this.finish()
  }

  private changeBetween(docId: DocId, before: DocumentValues, after: DocumentValues): void {
    const old = new Set<Change>()
    const now = new Set<Change>()
    this.forEachFact(before, (change) => old.add(change))
    this.forEachFact(after, (change) => now.add(change))
    for (const change of old) if (!now.has(change)) lose(change, docId)
    for (const change of now) if (!old.has(change)) change.steps.push(docId)
  }

  /** In key order, which LMDB likes best. */
  finish(): void {
    const touched = [...this.changes.values()].filter(({ steps }) => steps.length > 0)
    for (const change of touched.sort((a, b) => (a.fact < b.fact ? -1 : 1))) this.write(change)
    this.fields = new Map()
    this.changes = new Map()
    this.sizeBytes = 0
  }

  /** Coarse precisions of several numbers may be told several times. */
  private forEachFact(values: DocumentValues | undefined, visit: (change: Change) => void): void {
    for (const [field, { row, isNull, isEmpty }] of values ?? NO_VALUES) {
      const known = this.fieldChanges(field)
      let steps = 1
      visit(known.exists)
      if (isNull) visit(known.isNull)
      if (isEmpty) visit(known.isEmpty)
      for (const value of row) {
        if (typeof value !== 'number') visit(known.texts.get(value.norm) ?? this.newText(known, field, value.norm))
        else for (const change of known.numbers.get(value) ?? this.newNumber(known, field, value)) visit(change)
        steps += typeof value === 'number' ? NUMBER_SHIFTS.length : 1
      }
      this.sizeBytes += steps * STEP_BYTES
    }
  }

  private fieldChanges(field: FieldId): FieldChanges {
    const known = this.fields.get(field)
    if (known !== undefined) return known
    const made: FieldChanges = {
      exists: this.changeOf(markKey(field, 'exists')),
      isNull: this.changeOf(markKey(field, 'isNull')),
      isEmpty: this.changeOf(markKey(field, 'isEmpty')),
      numbers: new Map(),
      texts: new Map(),
    }
    this.fields.set(field, made)
    return made
  }

  private newNumber({ numbers }: FieldChanges, field: FieldId, value: number): readonly Change[] {
    const sortable = sortableNumber(value)
    const changes = NUMBER_SHIFTS.map((shift) => this.changeOf(numberKey(field, sortable, shift)))
    numbers.set(value, changes)
    return changes
  }

  private newText({ texts }: FieldChanges, field: FieldId, norm: string): Change {
    const change = this.changeOf(stringKey(field, norm))
    texts.set(norm, change)
    return change
  }

  private changeOf(fact: FactKey): Change {
    const known = this.changes.get(fact)
    if (known !== undefined) return known
    const change = { fact, steps: [], hasLosses: false }
    this.changes.set(fact, change)
    this.sizeBytes += FACT_BYTES + fact.length
    return change
  }

  private write({ fact, steps, hasLosses }: Change): void {
    for (const [chunk, stepsInChunk] of byChunk(steps)) this.apply(chunkedKey(fact, chunk), stepsInChunk, hasLosses)
  }

  private apply(key: Buffer, steps: readonly number[], hasLosses: boolean): void {
    const stored = this.database.getBorrowed(key)
    const ids = hasLosses ? applySteps(stored, steps) : addSteps(stored, steps)
    if (ids.isEmpty) this.database.delete(key)
    else {
      ids.runOptimize()
      this.database.put(key, ids.serialize())
    }
  }
}

const NO_VALUES: DocumentValues = new Map()

function lose(change: Change, docId: DocId): void {
  change.steps.push(-1 - docId)
  change.hasLosses = true
}

const docIdOfStep = (step: number): number => (step >= 0 ? step : -1 - step)

/** Steps by the high 16 bits of their docIds, each in the order in which they were told. */
function byChunk(steps: readonly number[]): Iterable<readonly [number, readonly number[]]> {
  const first = docIdOfStep(steps[0]!) >>> 16
  if (steps.every((step) => docIdOfStep(step) >>> 16 === first)) return [[first, steps]]
  const chunks = new Map<number, number[]>()
  for (const step of steps) {
    const chunk = docIdOfStep(step) >>> 16
    const known = chunks.get(chunk)
    if (known === undefined) chunks.set(chunk, [step])
    else known.push(step)
  }
  return [...chunks].sort(([a], [b]) => a - b)
}

/** One after the other: what was told last of a docId counts. */
function applySteps(stored: Uint8Array | undefined, steps: readonly number[]): Bitmap {
  const ids = stored === undefined ? Bitmap.empty() : Bitmap.deserialize(stored)
  for (const step of steps) {
    if (step >= 0) ids.add(step)
    else ids.remove(-1 - step)
  }
  return ids
}

/** The same when there are only gains. */
function addSteps(stored: Uint8Array | undefined, steps: readonly number[]): Bitmap {
  const gained = Bitmap.fromUnsorted(steps)
  if (stored === undefined) return gained
  const ids = Bitmap.deserialize(stored)
  ids.orWith(gained)
  return ids
}
