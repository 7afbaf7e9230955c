import type { FieldRegistry } from '../../documents/index.js'
import type { Settings } from '../../settings/index.js'
import { parseCropEntry } from './crop-entry.js'
import { CROPPED, DISPLAYED, FieldMarks, HIGHLIGHTED, IN_FORMATTED, IN_HIT } from './field-marks.js'

/** Which attributes of a hit are shown and how. Names as given; null when not given. */
export interface AttributeRequest {
  readonly attributesToRetrieve: readonly string[] | null
  readonly attributesToHighlight: readonly string[] | null
  readonly attributesToCrop: readonly string[] | null
  /** Words, for entries of `attributesToCrop` without a length of their own. */
  readonly cropLength: number
}

/** An index, as far as its fields are concerned. */
export interface KnownFields {
  readonly fields: FieldRegistry
  readonly settings: Pick<Settings, 'displayedAttributes'>
}

/** What a request and the settings say about fields (spec 5 §6.6, spec 6 §2.3). */
export interface FormatRules {
  /** Marks of every field. */
  readonly everywhere: number
  /** Marks of some fields. */
  readonly marks: FieldMarks
  /** Words that every field is cropped to; undefined when only some are cropped, or none. */
  readonly cropEverywhere: number | undefined
  /** Whether there is any field to highlight or to crop: without one, hits have no `_formatted`. */
  readonly hasOptions: boolean
}

export function compileRules(index: KnownFields, request: AttributeRequest): FormatRules {
  const compiler = new RuleCompiler(index)
  compiler.markAll(['*'], DISPLAYED)
  compiler.markAll(request.attributesToHighlight ?? [], HIGHLIGHTED | IN_FORMATTED)
  compiler.crop(request.attributesToCrop ?? [], request.cropLength)
  const retrieved = compiler.hasOptions ? IN_HIT | IN_FORMATTED : IN_HIT
  compiler.markAll(request.attributesToRetrieve ?? ['*'], retrieved)
  return compiler
}

class RuleCompiler implements FormatRules {
  everywhere = 0
  readonly marks = new FieldMarks()
  cropEverywhere: number | undefined
  hasOptions = false
  private readonly fields: FieldRegistry
  /** Known and listed names, undefined when all are displayed. */
  private readonly displayed: ReadonlySet<string> | undefined

  constructor({ fields, settings: { displayedAttributes } }: KnownFields) {
    this.fields = fields
    this.displayed =
      displayedAttributes === '*'
        ? undefined
        : new Set(displayedAttributes.filter((name) => fields.idOf(name) !== undefined))
  }

  /** `*` stands for all displayed fields; other names count if they are displayed by exactly this name. */
  markAll(names: readonly string[], marks: number): void {
    if (!names.includes('*')) for (const name of names) this.markOne(name, marks)
    else if (this.displayed === undefined) this.markEverywhere(marks)
    else for (const name of this.displayed) this.markOne(name, marks)
  }

  private markOne(name: string, marks: number): void {
    if (!this.isDisplayed(name)) return
    this.marks.mark(name, marks)
    if (marks & HIGHLIGHTED) this.hasOptions = true
  }

  private markEverywhere(marks: number): void {
    this.everywhere |= marks
    if (marks & HIGHLIGHTED) this.hasOptions = true
  }

  private isDisplayed(name: string): boolean {
    return this.displayed === undefined ? this.fields.idOf(name) !== undefined : this.displayed.has(name)
  }

  /** Later entries override earlier ones. */
  crop(entries: readonly string[], defaultLength: number): void {
    const lengths = new Map<string, number>()
    for (const entry of entries) {
      const { name, length } = parseCropEntry(entry, defaultLength)
      if (name === '*') this.cropAll(lengths, length)
      else if (this.isDisplayed(name)) lengths.set(name, length)
    }
    for (const [name, length] of lengths) this.cropOne(name, length)
  }

  private cropAll(lengths: Map<string, number>, length: number): void {
    lengths.clear()
    if (this.displayed !== undefined) for (const name of this.displayed) lengths.set(name, length)
    else {
      this.cropEverywhere = length
      this.markEverywhere(CROPPED | IN_FORMATTED)
      this.hasOptions = true
    }
  }

  private cropOne(name: string, length: number): void {
    this.marks.crop(name, { fieldId: this.fields.idOf(name)!, length })
    this.marks.mark(name, IN_FORMATTED)
    this.hasOptions = true
  }
}
