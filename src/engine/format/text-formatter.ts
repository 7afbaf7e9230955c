import type { AllowedLanguages, Analyzer, Token } from '../../text/index.js'
import { cropWindow, type Window } from './crop-window.js'
import { highlight } from './highlight.js'
import { type Span, SpanFinder } from './span-finder.js'
import type { TermMatcher } from './term-matcher.js'
import { type FoundText, isWord } from './text-match.js'

/** What is put around matches and cut ends. Inserted as they are. */
export interface Marks {
  readonly highlightPreTag: string
  readonly highlightPostTag: string
  readonly cropMarker: string
}

/** What happens to one text. */
export interface TextOptions {
  readonly isHighlighted: boolean
  /** Words; 0 for no cropping. */
  readonly cropLength: number
  readonly locales: AllowedLanguages
}

interface RememberedText {
  readonly locales: AllowedLanguages
  readonly found: FoundText
}

/** Highlights and crops texts, and finds the matches in them. */
export class TextFormatter {
  /** Texts of the current document in which something was looked for. */
  private readonly remembered = new Map<string, RememberedText>()

  private readonly spans: SpanFinder | undefined
  /** What is put into texts is the same in JSON. */
  private readonly isPlain: boolean

  /** Without a matcher nothing is found. */
  constructor(
    private readonly analyzer: Analyzer,
    private readonly matcher: TermMatcher | undefined,
    private readonly marks: Marks & { readonly showMatchesPosition: boolean },
  ) {
    // Positions need the tokens of matches, which then serve for both.
    this.spans = marks.showMatchesPosition ? undefined : matcher && new SpanFinder(analyzer, matcher)
    this.isPlain = [marks.highlightPreTag, marks.highlightPostTag, marks.cropMarker].every(isPlainJson)
  }

  /** `format` of a text that is the same in JSON, as JSON text. */
  formatPlain(text: string, options: TextOptions): string {
    const formatted = this.format(text, options)
    return this.isPlain ? `"${formatted}"` : JSON.stringify(formatted)
  }

  /** Forgets the texts of the last document. */
  startDocument(): void {
    this.remembered.clear()
  }

  /** False only when no text in the JSON text of a value matches. */
  mayMatchInside(json: string): boolean {
    if (this.matcher === undefined) return false
    // What is escaped looks different from what is matched.
    return json.includes('\\') || this.matcher.mayMatch(json)
  }

  /** Undefined when there is no match. */
  find(text: string, locales: AllowedLanguages): FoundText | undefined {
    if (this.matcher === undefined || !this.matcher.mayMatch(text)) return undefined
    const known = this.remembered.get(text)
    const found = known !== undefined && known.locales === locales ? known.found : this.search(text, locales)
    return found.matches.length === 0 ? undefined : found
  }

  private search(text: string, locales: AllowedLanguages): FoundText {
    const tokens = this.analyzer.tokenize(text, locales)
    const found = { tokens, matches: this.matcher?.find(text, tokens) ?? [] }
    this.remembered.set(text, { locales, found })
    return found
  }

  format(text: string, { isHighlighted, cropLength, locales }: TextOptions): string {
    // A text of ten characters has no more than ten words.
    const isCropped = cropLength > 0 && text.length > cropLength
    if (!isCropped) return isHighlighted ? this.highlighted(text, locales) : text
    const found = this.find(text, locales)
    const shown = found ?? { tokens: this.firstTokens(text, locales, cropLength), matches: [] }
    const window = cropWindow(text, shown, cropLength)
    return this.withMarkers(text, window, isHighlighted ? this.withTags(text, shown.matches, window) : undefined)
  }

  private highlighted(text: string, locales: AllowedLanguages): string {
    const spans = this.spansOf(text, locales)
    return spans.length === 0 ? text : this.withTags(text, spans, { start: 0, end: text.length })
  }

  /** Where the text matches. Its tokens are looked at only where they are there, or nothing else helps. */
  private spansOf(text: string, locales: AllowedLanguages): readonly Span[] {
    if (this.matcher?.mayMatch(text) !== true) return NO_SPANS
    const spans = this.remembered.has(text) ? undefined : this.spans?.find(text, locales)
    return spans ?? this.find(text, locales)?.matches ?? NO_SPANS
  }

  private withTags(text: string, spans: readonly Span[], window: Window): string {
    const { highlightPreTag: preTag, highlightPostTag: postTag } = this.marks
    return highlight(text, { spans, window, preTag, postTag })
  }

  private withMarkers(text: string, { start, end }: Window, shown = text.slice(start, end)): string {
    const { cropMarker } = this.marks
    return (start > 0 ? cropMarker : '') + shown + (end < text.length ? cropMarker : '')
  }

  /** The tokens of the text, or enough of them to hold more than `wordCount` words: most long texts are not cut whole. */
  private firstTokens(text: string, locales: AllowedLanguages, wordCount: number): readonly Token[] {
    // Mostly there is one separator between two words.
    for (let limit = 2 * wordCount + 8; ; limit *= 4) {
      const tokens = this.analyzer.tokenize(text, locales, limit)
      if (tokens.length < limit || countWords(tokens) > wordCount) return tokens
    }
  }
}

const isPlainJson = (text: string): boolean => JSON.stringify(text) === `"${text}"`

const NO_SPANS: readonly Span[] = []

function countWords(tokens: readonly Token[]): number {
  let count = 0
  for (const token of tokens) if (isWord(token)) count++
  return count
}
