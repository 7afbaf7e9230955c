import type { FieldId } from '../../documents/index.js'

/** What a request and the settings say about a field. Marks are bits, so one look at a path tells them all. */
export const IN_HIT = 1
export const DISPLAYED = 2
export const IN_FORMATTED = 4
export const HIGHLIGHTED = 8
export const CROPPED = 16

/** How a field is cropped. */
export interface Crop {
  readonly fieldId: FieldId
  /** Words; 0 leaves the text whole. */
  readonly length: number
}

/** What was said about a path, the paths above it and the paths below it. */
export interface PathMarks {
  /** Of the path itself and of those above. */
  readonly above: number
  /** Of the path itself. */
  readonly own: number
  /** Of those below. */
  readonly below: number
  /** Of the path itself. */
  readonly ownCrop: Crop | undefined
  /** Of the oldest field among all of them. */
  readonly crop: Crop | undefined
}

interface Node {
  readonly next: Map<string, Node>
  marks: number
  marksBelow: number
  crop: Crop | undefined
  cropBelow: Crop | undefined
}

/** Marks of dotted field names. A look-up costs what the path is long, however many fields are marked. */
export class FieldMarks {
  private readonly root = newNode()

  mark(name: string, marks: number): void {
    let node = this.root
    for (const key of name.split('.')) {
      node.marksBelow |= marks
      node = childOf(node, key)
    }
    node.marks |= marks
  }

  crop(name: string, crop: Crop): void {
    this.mark(name, CROPPED)
    let node = this.root
    for (const key of name.split('.')) {
      node.cropBelow = older(node.cropBelow, crop)
      node = node.next.get(key)!
    }
    node.crop = crop
  }

  of(path: string): PathMarks {
    let above = 0
    let crop: Crop | undefined
    let node: Node | undefined = this.root
    for (const key of path.split('.')) {
      node = node.next.get(key)
      if (node === undefined) return { above, own: 0, below: 0, ownCrop: undefined, crop }
      above |= node.marks
      crop = older(crop, node.crop)
    }
    const { marks: own, marksBelow: below, crop: ownCrop, cropBelow } = node
    return { above, own, below, ownCrop, crop: older(crop, cropBelow) }
  }
}

function newNode(): Node {
  return { next: new Map(), marks: 0, marksBelow: 0, crop: undefined, cropBelow: undefined }
}

function childOf(node: Node, key: string): Node {
  const known = node.next.get(key)
  if (known !== undefined) return known
  const made = newNode()
  node.next.set(key, made)
  return made
}

/** The crop of the field that the index has known longer (spec 5 §6.6). */
function older(a: Crop | undefined, b: Crop | undefined): Crop | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.fieldId < a.fieldId ? b : a
}
