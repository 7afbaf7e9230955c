import type { FieldId, FieldRegistry } from '../documents/index.js'
import type { FieldRoles, Settings } from '../settings/index.js'
import type { AllowedLanguages, Analyzer } from '../text/index.js'
import { createAnalyzer } from '../text/index.js'

/** What is made of the text of one field. */
export interface FieldText {
  readonly isSearchable: boolean
  /** Some nested field may be searchable. */
  readonly hasWordsBelow: boolean
  readonly locales: AllowedLanguages
}

/** What is needed to say which words a document has. */
export class WordRules {
  private readonly known: (FieldText | undefined)[] = []

  /** Rules with the same analyzer cut texts alike. */
  constructor(
    readonly registry: FieldRegistry,
    private readonly roles: FieldRoles,
    readonly analyzer: Analyzer,
  ) {}

  of(fieldId: FieldId): FieldText {
    const known = this.known[fieldId]
    if (known !== undefined) return known
    const role = this.roles.of(this.registry.nameOf(fieldId))
    const made = {
      isSearchable: role.searchableRank !== -1,
      hasWordsBelow: role.hasWordsBelow,
      locales: role.locales as AllowedLanguages,
    }
    this.known[fieldId] = made
    return made
  }

  /** The number of a field that is searched; undefined for others, which need none. */
  searchableId(name: string): FieldId | undefined {
    return this.roles.of(name).searchableRank === -1 ? undefined : this.registry.number(name)
  }
}

/** Analyzers of the settings used last. They remember words, so that small batches need not begin anew. */
const analyzers = new Map<string, Analyzer>()
const MAX_ANALYZERS = 4

/** Cuts the texts of documents. The same for settings that cut alike. */
export function documentAnalyzer(settings: Settings): Analyzer {
  const { stopWords, separatorTokens, nonSeparatorTokens, dictionary } = settings
  const options = { stopWords, separatorTokens, nonSeparatorTokens, dictionary }
  const key = JSON.stringify(options)
  const analyzer = analyzers.get(key) ?? createAnalyzer(options)
  // The map remembers the order of insertion: the one used least recently stands first.
  analyzers.delete(key)
  analyzers.set(key, analyzer)
  if (analyzers.size > MAX_ANALYZERS) analyzers.delete(analyzers.keys().next().value!)
  return analyzer
}

/** Whether the words of a field have to be found again when the rules change from `before` to `after`. */
export function isStale(before: WordRules, after: WordRules, fieldId: FieldId): boolean {
  if (before === after) return false
  const old = before.of(fieldId)
  const now = after.of(fieldId)
  if (old.isSearchable !== now.isSearchable) return true
  return old.isSearchable && (before.analyzer !== after.analyzer || !areSame(old.locales, now.locales))
}

function areSame(a: AllowedLanguages, b: AllowedLanguages): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.length === b.length && a.every((locale, i) => locale === b[i])
}
