import type { FieldRoles } from '../../settings/index.js'
import type { AllowedLanguages } from '../../text/index.js'
import { CROPPED, DISPLAYED, HIGHLIGHTED, IN_FORMATTED, IN_HIT, type PathMarks } from './field-marks.js'
import type { FormatRules } from './format-rules.js'

/** How much of a value is taken: nothing, some members of the objects in it, or all. */
export type Share = 'none' | 'part' | 'whole'

/** What plans are made from. */
export interface PlanSource {
  readonly rules: FormatRules
  readonly roles: FieldRoles
  /** Of the request; null leaves it to the settings. */
  readonly locales: readonly string[] | null
}

/** What happens to the values at one path. Made once for each path that the documents of a page have. */
export class PathPlan {
  /** As a member of JSON text starts: `"title":`. */
  readonly keyText: string
  readonly keyBytes: Uint8Array
  readonly inHit: Share
  readonly inFormatted: Share
  readonly displayed: Share
  /** Whether anything at the path or below it is: a mark below is one of the path, should its value be a leaf. */
  readonly isHighlighted: boolean
  /** Words; 0 for no cropping. */
  readonly cropLength: number
  /** Whether anything at the path or below it is cropped. */
  readonly hasCrops: boolean
  readonly locales: AllowedLanguages
  private readonly children = new Map<string, PathPlan>()

  constructor(
    private readonly source: PlanSource,
    readonly path: string,
    place: { readonly key: string; readonly parent: PathPlan | undefined },
  ) {
    const { rules, roles, locales } = source
    const marks = rules.marks.of(path)
    const above = rules.everywhere | marks.above
    // What is taken of a document goes from key to key: `a` is the key `a` and all in it, and not the key `a.b` beside it.
    const taken = rules.everywhere | marks.own | takenWith(place.parent)
    this.keyText = `${JSON.stringify(place.key)}:`
    this.keyBytes = Buffer.from(this.keyText)
    this.inHit = isVectors(path, place.parent) ? 'none' : shareOf(IN_HIT, taken, marks.below)
    this.inFormatted = shareOf(IN_FORMATTED, taken, marks.below)
    this.displayed = shareOf(DISPLAYED, above, marks.below)
    this.isHighlighted = ((above | marks.below) & HIGHLIGHTED) !== 0
    this.hasCrops = ((above | marks.below) & CROPPED) !== 0
    this.cropLength = cropLengthOf(rules, marks, place.parent)
    this.locales = locales ?? roles.of(path).locales
  }

  /** Of a member of the objects at this path. */
  child(key: string): PathPlan {
    const known = this.children.get(key)
    if (known !== undefined) return known
    const made = new PathPlan(this.source, `${this.path}.${key}`, { key, parent: this })
    this.children.set(key, made)
    return made
  }
}

/** Vectors are part of a hit only when asked for, and then by another way (spec 6 §2.2). */
const isVectors = (path: string, parent: PathPlan | undefined): boolean => parent === undefined && path === '_vectors'

/** Marks that a value has since all around it is taken. */
function takenWith(parent: PathPlan | undefined): number {
  if (parent === undefined) return 0
  return (parent.inHit === 'whole' ? IN_HIT : 0) | (parent.inFormatted === 'whole' ? IN_FORMATTED : 0)
}

function shareOf(mark: number, above: number, below: number): Share {
  if (above & mark) return 'whole'
  return below & mark ? 'part' : 'none'
}

/** When all fields are cropped, the one that the index has known longest is the one at the top. */
function cropLengthOf({ cropEverywhere }: FormatRules, marks: PathMarks, parent: PathPlan | undefined): number {
  if (cropEverywhere === undefined) return marks.crop?.length ?? 0
  return parent?.cropLength ?? marks.ownCrop?.length ?? cropEverywhere
}
