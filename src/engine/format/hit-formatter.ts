import type { ByteWriter } from '../../bytes/index.js'
import { type FieldId, type FieldRegistry, type StoredDocument, storedJson, textOf } from '../../documents/index.js'
import type { MatchTerms } from '../../rank/index.js'
import type { FieldRoles, Settings } from '../../settings/index.js'
import type { Analyzer } from '../../text/index.js'
import { type AttributeRequest, compileRules } from './format-rules.js'
import { FormattedJson } from './formatted-json.js'
import { partialJson } from './hit-json.js'
import { MatchPositions } from './match-positions.js'
import { PathPlan, type PlanSource } from './path-plan.js'
import { TermMatcher } from './term-matcher.js'
import { type Marks, TextFormatter } from './text-formatter.js'

/** What hits look like. Fields of requests by their names, already checked. */
export interface FormatRequest extends AttributeRequest, Marks {
  readonly showMatchesPosition: boolean
  /** Three-letter codes; null when not given, which is not the same as none. */
  readonly locales: readonly string[] | null
  /** What is highlighted; undefined when there is nothing to look for. */
  readonly terms: MatchTerms | undefined
}

/** The parts of an index that formatting needs. `SearchIndex` has them. */
export interface FormatIndex {
  readonly fields: FieldRegistry
  readonly roles: FieldRoles
  readonly settings: Pick<Settings, 'displayedAttributes'>
  readonly formatAnalyzer: Analyzer
}

const COMMA = 0x2c

const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * Documents in, the JSON text of hits out, for the page of one search: which fields are shown, `_formatted` and
 * `_matchesPosition` (spec 5 §6, spec 6 §2.2 and §2.3). Values that do not change are copied as they are stored. Ask
 * everything about one document before the next: what was read of it is kept until then.
 */
export class HitFormatter {
  private readonly source: PlanSource
  private readonly plans: PathPlan[] = []
  private readonly texts: TextFormatter
  private readonly formattedJson: FormattedJson
  private document: StoredDocument = []
  /** JSON texts of the fields of `document`, as far as they were needed. */
  private jsons: string[] = []

  /** Stands for the commit that `index` was read at. */
  constructor(
    private readonly index: FormatIndex,
    private readonly request: FormatRequest,
  ) {
    const rules = compileRules(index, request)
    this.source = { rules, roles: index.roles, locales: request.locales }
    const isMatching = request.terms !== undefined && (rules.hasOptions || request.showMatchesPosition)
    const matcher = isMatching ? new TermMatcher(request.terms) : undefined
    this.texts = new TextFormatter(index.formatAnalyzer, matcher, request)
    this.formattedJson = new FormattedJson(this.texts)
  }

  /**
   * The members of a hit that come from its document, without braces: `"id":1,"title":"Carol"`. `overwritten` names what
   * the answer produces itself: a stored attribute of such a name is left out (spec 3 §2.9).
   */
  members(document: StoredDocument, overwritten = NO_NAMES): string {
    this.startDocument(document)
    let members = ''
    for (let i = 0; i < document.length; i++) {
      const plan = this.planOf(document[i]!.fieldId)
      if (plan.inHit === 'none' || overwritten.has(plan.path)) continue
      const json = this.jsonOf(i)
      const shown = plan.inHit === 'whole' ? json : partialJson(storedJson(json), plan)
      members += (members === '' ? '' : ',') + plan.keyText + shown
    }
    return members
  }

  /** Writes what `members` answers: to copy bytes takes a fraction of the time that it takes to make texts of them. */
  writeMembers(out: ByteWriter, document: StoredDocument, overwritten = NO_NAMES): void {
    let isFirst = true
    for (let i = 0; i < document.length; i++) {
      const { fieldId, value } = document[i]!
      const plan = this.planOf(fieldId)
      if (plan.inHit === 'none' || overwritten.has(plan.path)) continue
      if (!isFirst) out.byte(COMMA)
      isFirst = false
      out.raw(plan.keyBytes)
      if (plan.inHit === 'whole') out.raw(value)
      else out.utf8(partialJson(storedJson(textOf(value)), plan))
    }
  }

  /** Whether any of the questions below looks at the field. */
  needs(fieldId: FieldId): boolean {
    const plan = this.planOf(fieldId)
    if (plan.inHit !== 'none') return true
    if (this.source.rules.hasOptions && plan.inFormatted !== 'none') return true
    return this.request.showMatchesPosition && plan.displayed !== 'none'
  }

  /** The value of `_formatted`; undefined when the hit has none. */
  formatted(document: StoredDocument): string | undefined {
    if (!this.source.rules.hasOptions) return undefined
    this.startDocument(document)
    let members = ''
    for (let i = 0; i < document.length; i++) {
      const plan = this.planOf(document[i]!.fieldId)
      const shown = plan.inFormatted === 'none' ? undefined : this.formattedJson.field(this.jsonOf(i), plan)
      if (shown !== undefined) members += (members === '' ? '' : ',') + plan.keyText + shown
    }
    return members === '' ? undefined : `{${members}}`
  }

  /** The value of `_matchesPosition`; undefined when it was not asked for. */
  matchesPosition(document: StoredDocument): string | undefined {
    if (!this.request.showMatchesPosition) return undefined
    this.startDocument(document)
    const positions = new MatchPositions(this.texts)
    for (let i = 0; i < document.length; i++) positions.addField(this.jsonOf(i), this.planOf(document[i]!.fieldId))
    return positions.json()
  }

  private startDocument(document: StoredDocument): void {
    if (document === this.document) return
    this.document = document
    this.jsons = []
    this.texts.startDocument()
  }

  /** Of a field of the current document, by its place. */
  private jsonOf(place: number): string {
    return (this.jsons[place] ??= textOf(this.document[place]!.value))
  }

  private planOf(fieldId: FieldId): PathPlan {
    return (this.plans[fieldId] ??= this.newPlan(this.index.fields.nameOf(fieldId)))
  }

  private newPlan(name: string): PathPlan {
    return new PathPlan(this.source, name, { key: name, parent: undefined })
  }
}
