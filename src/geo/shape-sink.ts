import { Bitmap } from '../bitmap/index.js'
import type { DocId, StoredDocument } from '../documents/index.js'
import type { ChangeSink } from '../folder/index.js'
import { docIdKey, type IndexFolder } from '../folder/index.js'
import { decodeShape, encodeShape, type Shape } from './shape.js'
import { ShapeArcs } from './shape-arcs.js'
import { type CellFact, factKey, factsOf } from './shape-cell-key.js'
import { cellsOf } from './shape-cells.js'
import type { ShapeField } from './shape-field.js'

/** Changes are written out when this many have gathered, so that memory stays bounded. */
const FLUSH_CHANGES = 100_000

/**
 * Keeps the shapes of documents and the cells they lie in in step with the documents. Only what the shape of a document
 * gains or loses is written. Throws `FailureError` on what is no shape: the whole batch fails then (spec 3 §8.2).
 */
export class ShapeSink implements ChangeSink {
  /** By key, which documents gain or lose its fact; what was told last counts. */
  private changes = new Map<string, Map<DocId, boolean>>()
  private changeCount = 0

  constructor(
    private readonly folder: IndexFolder,
    private readonly field: ShapeField,
  ) {}

  change(docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    const { shapes } = this.folder.databases
    const key = docIdKey(docId)
    if (this.field.isSame(before, after) && shapes.has(key)) return
    const old = shapes.get(key)
    const shape = after === undefined ? undefined : this.field.read(after)
    const now = shape === undefined ? undefined : encodeShape(shape)
    if (old === undefined ? now === undefined : now?.equals(old)) return
    if (now === undefined) shapes.delete(key)
    else shapes.put(key, now)
    this.move(docId, old ? factsOfShape(decodeShape(old)) : NOWHERE, shape ? factsOfShape(shape) : NOWHERE)
  }

  /** In key order, which LMDB likes best. */
  finish(): void {
    for (const key of [...this.changes.keys()].sort()) this.write(key, this.changes.get(key)!)
    this.changes = new Map()
    this.changeCount = 0
  }

  private move(docId: DocId, old: ReadonlySet<CellFact>, now: ReadonlySet<CellFact>): void {
    for (const fact of old) if (!now.has(fact)) this.note(fact, docId, false)
    for (const fact of now) if (!old.has(fact)) this.note(fact, docId, true)
    if (this.changeCount >= FLUSH_CHANGES) this.finish()
  }

  private note(fact: CellFact, docId: DocId, isIn: boolean): void {
    const key = factKey(fact, docId).toString('latin1')
    const known = this.changes.get(key)
    if (known === undefined) this.changes.set(key, new Map([[docId, isIn]]))
    else known.set(docId, isIn)
    this.changeCount++
  }

  private write(text: string, changes: ReadonlyMap<DocId, boolean>): void {
    const key = Buffer.from(text, 'latin1')
    const { shapeCells } = this.folder.databases
    const stored = shapeCells.getBorrowed(key)
    const ids = stored === undefined ? Bitmap.empty() : Bitmap.deserialize(stored)
    for (const [docId, isIn] of changes) {
      if (isIn) ids.add(docId)
      else ids.remove(docId)
    }
    if (ids.isEmpty) shapeCells.delete(key)
    else {
      ids.runOptimize()
      shapeCells.put(key, ids.serialize())
    }
  }
}

/** When documents go, or shapes are no longer asked for. */
export function clearShapes({ databases }: IndexFolder): void {
  databases.shapes.clear()
  databases.shapeCells.clear()
}

const NOWHERE: ReadonlySet<CellFact> = new Set()

const factsOfShape = (shape: Shape): ReadonlySet<CellFact> => factsOf(cellsOf(new ShapeArcs(shape)))
