import type { Language } from './languages.js'
import type { KindId, LemmaCache } from './lemma-cache.js'
import { decompose } from './normalize.js'
import { profileOf } from './profile.js'
import { type Script, scriptId } from './scripts.js'
import type { SegmentReader } from './segment-reader.js'
import type { TextUnits } from './text-units.js'

/** The kinds of tokens. `empty` is a token whose lemma is empty; such tokens are ignored everywhere (spec 5 §1.7). */
export const tokenKinds = ['word', 'stopWord', 'softSeparator', 'hardSeparator', 'empty'] as const

export type TokenKind = (typeof tokenKinds)[number]

/** A segment of a text. The tokens of a text touch: together they are the text. */
export interface Token {
  readonly kind: TokenKind
  /** The normalized text. Words are indexed without white space at its ends (rare: it comes from no-break spaces). */
  readonly lemma: string
  /** In UTF-16 units of the original text. */
  readonly start: number
  readonly end: number
  /** In UTF-8 bytes of the original text. */
  readonly byteStart: number
  readonly byteEnd: number
  readonly script: Script
  readonly language: Language | undefined
}

export function kindId(kind: TokenKind): KindId {
  return tokenKinds.indexOf(kind) as KindId
}

/** The first `limit` tokens that `reader` hands out, with their lemmas from `lemmas`. */
export function readTokens(reader: SegmentReader, lemmas: LemmaCache, limit: number): Token[] {
  const tokens: Token[] = []
  let byteStart = 0
  while (tokens.length < limit && reader.next()) {
    const { source, start, end, profile } = reader
    const slot = lemmas.find(reader)
    const byteEnd = byteStart + byteLength(source, start, end)
    const { script, language } = profile
    const kind = tokenKinds[lemmas.kindAt(slot)]!
    tokens.push({ kind, lemma: lemmas.textAt(slot), start, end, byteStart, byteEnd, script, language })
    byteStart = byteEnd
  }
  return tokens
}

function byteLength({ text, units }: TextUnits, start: number, end: number): number {
  for (let i = start; i < end; i++) if (units[i]! > 0x7f) return Buffer.byteLength(text.slice(start, end))
  return end - start
}

/**
 * Where in the original text the first `characters` code points of a token's lemma end, in UTF-16 units: behind the
 * fewest leading characters whose normalized form covers them (spec 5 §6.3). One character of `œuvre` covers `o`, and
 * the first letter of `Ŵôřlḑ` needs none of its marks. Beyond the lemma it is the end of the token.
 */
export function originalEnd(text: string, token: Token, characters: number): number {
  const raw = text.slice(token.start, Math.min(token.end, token.start + MAX_EXAMINED_UNITS))
  const profile = profileOf(scriptId(token.script), token.language)
  const parts = decompose(raw, token.language)
  profile.fold(parts)
  let missing = characters
  let end = token.start
  let index = 0
  for (const character of raw) {
    if (missing <= 0) break
    missing -= countCodePoints(parts[index++]!)
    end += character.length
  }
  return end
}

// A bound for hostile texts: what is matched is a query word or a beginning of one, far shorter.
const MAX_EXAMINED_UNITS = 4096

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
