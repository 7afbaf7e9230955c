import type { FieldId } from '../documents/index.js'
import { PlainItems, RESERVED, type StoredDocument, type StoredField, textOf, visitValues } from '../documents/index.js'
import type { JsonValue } from '../json/index.js'
import { nextStart, valueText, type WordNumbering } from '../text/index.js'
import { FieldStates } from './field-states.js'
import { grown } from './posting-buffer.js'
import type { WordRules } from './word-rules.js'

/** Which parts of a document are looked at. */
export interface TextSelection {
  /** All texts of this top-level field. */
  hasRoot(fieldId: FieldId): boolean
  /** The texts of this field, nested or not, whatever its top-level field. */
  hasField(fieldId: FieldId): boolean
  /** Whether `hasField` ever says yes. */
  readonly hasFields: boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const NULL_START = 0x6e

/**
 * The words of one document after the other, with their positions (spec 5 §2.1-2.3): the i-th is number `words[i]` at
 * `positions[i]`, which is the field times 65,536 plus the position. Positions ascend. Good until the next `read`.
 */
export class DocumentWords {
  words = new Uint32Array(1024)
  positions = new Uint32Array(1024)
  count = 0
  /** Positions and numbers of words by field. */
  readonly fields = new FieldStates()
  private readonly plain = new PlainItems()
  private firstOfValues: number[] = []
  private isAscending = true
  private currentBase = 0

  constructor(
    private readonly rules: WordRules,
    public numbering: WordNumbering,
  ) {}

  read(document: StoredDocument, selection: TextSelection): void {
    this.count = 0
    this.fields.clear()
    this.firstOfValues.length = 0
    this.isAscending = true
    for (const field of document.asSent ?? document) {
      const isWhole = selection.hasRoot(field.fieldId)
      if (isWhole || selection.hasFields) this.readField(field, isWhole ? undefined : selection)
    }
    if (!this.isAscending) this.sortByPosition()
  }

  forget(): void {
    this.count = 0
    this.fields.clear()
  }

  /** Without a selection everything is read. */
  private readField(field: StoredField, selection: TextSelection | undefined): void {
    const { fieldId, value } = field
    const first = value[0]
    const { isSearchable, hasWordsBelow } = this.rules.of(fieldId)
    if (first === OPEN_ARRAY || first === OPEN_OBJECT) {
      if (isSearchable || hasWordsBelow) this.readParts(field, selection)
    } else if (isSearchable && (selection === undefined || selection.hasField(fieldId))) this.readScalar(field)
  }

  private readParts(field: StoredField, selection: TextSelection | undefined): void {
    const { rules } = this
    const name = rules.registry.nameOf(field.fieldId)
    if (RESERVED.has(name)) return
    if (this.plain.find(field.value)) {
      this.readItems(field, selection)
      return
    }
    const visit = (path: string, value: JsonValue): void => {
      const fieldId = rules.searchableId(path)
      if (fieldId === undefined || !(selection === undefined || selection.hasField(fieldId))) return
      this.readText(fieldId, valueText(value), typeof value === 'string')
    }
    visitValues([field], rules.registry, () => true, visit)
  }

  /** Those of `plain`. */
  private readItems({ fieldId, value }: StoredField, selection: TextSelection | undefined): void {
    if (!this.rules.of(fieldId).isSearchable || selection?.hasField(fieldId) === false) return
    const { starts, ends, count } = this.plain
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.length)
    for (let i = 0; i < count; i++) {
      const isString = bytes[starts[i]!] === QUOTE
      const quote = isString ? 1 : 0
      this.readText(fieldId, bytes.toString('utf8', starts[i]! + quote, ends[i]! - quote), isString)
    }
  }

  /** A stored value is canonical JSON: of numbers and booleans it is the text that is searched (spec 5 §2.2). */
  private readScalar({ fieldId, value }: StoredField): void {
    const first = value[0]
    if (first === QUOTE) this.readText(fieldId, stringOf(value), true)
    else this.readText(fieldId, first === NULL_START ? undefined : textOf(value), false)
  }

  /** A value of a field, without text when it has none: it takes its turn all the same. */
  private readText(fieldId: FieldId, text: string | undefined, isString: boolean): void {
    const { rules, fields } = this
    const startPosition = nextStart(fields.lastPosition(fieldId))
    if (text === undefined || text === '') {
      fields.setLastPosition(fieldId, startPosition)
      return
    }
    const first = this.count
    this.currentBase = fieldId * 0x1_0000
    const locales = isString ? rules.of(fieldId).locales : undefined
    const last = rules.analyzer.positionNumbers({ text, locales, startPosition }, this.numbering, this.push)
    fields.setLastPosition(fieldId, last)
    if (this.count === first) return
    fields.addWords(fieldId, this.count - first)
    this.firstOfValues.push(first)
    if (first > 0 && this.positions[first]! < this.positions[first - 1]!) this.isAscending = false
  }

  private readonly push = (word: number, position: number): void => {
    const { count } = this
    if (count === this.words.length) {
      this.words = grown(this.words, count + 1)
      this.positions = grown(this.positions, count + 1)
    }
    this.words[count] = word
    this.positions[count] = this.currentBase + position
    this.count = count + 1
  }

  /** Nested fields may be visited in another order than that of their numbers. Words of one value stay together. */
  private sortByPosition(): void {
    const { words, positions, count } = this
    const runs = this.firstOfValues.map((first, i) => ({ first, end: this.firstOfValues[i + 1] ?? count }))
    runs.sort((a, b) => positions[a.first]! - positions[b.first]!)
    this.words = new Uint32Array(words.length)
    this.positions = new Uint32Array(positions.length)
    let next = 0
    for (const { first, end } of runs) {
      this.words.set(words.subarray(first, end), next)
      this.positions.set(positions.subarray(first, end), next)
      next += end - first
    }
  }
}

/** Texts without an escape are what stands between the quotes. */
function stringOf(value: Uint8Array): string {
  if (value.includes(BACKSLASH)) return JSON.parse(textOf(value)) as string
  return Buffer.from(value.buffer, value.byteOffset + 1, value.length - 2).toString('utf8')
}
