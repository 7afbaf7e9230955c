import { isObject, type JsonObject, type JsonValue, print } from '../../json/index.js'
import type { MatchTerms } from '../../rank/index.js'
import { createAnalyzer, originalEnd, type Token } from '../../text/index.js'

/** A match in the words of spec 5 §6.3. */
export interface PlainMatch {
  readonly ids: readonly number[]
  readonly firstWord: number
  readonly lastWord: number
  readonly start: number
  readonly end: number
}

const isSeparator = ({ kind }: Token): boolean => kind !== 'word' && kind !== 'stopWord'

/** Spec 5 §6.3 as it is written: everything is compared with everything. */
export function plainMatches(text: string, tokens: readonly Token[], { words, phrases }: MatchTerms): PlainMatch[] {
  const wordTokens = tokens.filter((token) => !isSeparator(token))
  const entries = words
    .map((entry, order) => ({ entry, order }))
    .sort(
      (a, b) =>
        Number(a.entry.isPrefix) - Number(b.entry.isPrefix) ||
        b.entry.ids.length - a.entry.ids.length ||
        a.order - b.order,
    )
    .map(({ entry }) => entry)
  const matches: PlainMatch[] = []
  for (let position = 0; position < wordTokens.length; ) {
    const match = phraseAt(position) ?? wordAt(position)
    if (match !== undefined) matches.push(match)
    position = (match?.lastWord ?? position) + 1
  }
  return matches

  function phraseAt(position: number): PlainMatch | undefined {
    for (const phrase of phrases) {
      const slice = wordTokens.slice(position, position + phrase.words.length)
      if (slice.length < phrase.words.length || slice.length === 0) continue
      if (!slice.every(({ lemma }, i) => lemma === phrase.words[i])) continue
      const lastWord = position + slice.length - 1
      return { ids: phrase.ids, firstWord: position, lastWord, start: slice[0]!.start, end: slice.at(-1)!.end }
    }
    return undefined
  }

  function wordAt(position: number): PlainMatch | undefined {
    const token = wordTokens[position]!
    const { lemma, start } = token
    const place = { firstWord: position, lastWord: position, start }
    for (const { words: candidates, isPrefix, length, ids } of entries) {
      for (const candidate of candidates) {
        if (isPrefix && lemma.startsWith(candidate)) {
          const characters = Math.min(length, [...candidate].length)
          return { ids, ...place, end: originalEnd(text, token, characters) }
        }
        if (lemma === candidate) return { ids, ...place, end: token.end }
      }
    }
    return undefined
  }
}

/** Spec 5 §6.5 as it is written. */
export function plainWindow(text: string, tokens: readonly Token[], matches: readonly PlainMatch[], c: number) {
  if (matches.length === 0) return grow(text, tokens, { left: -1, right: 0, remaining: c })
  const { first, last } = plainInterval(matches, c)
  const size = last.lastWord - first.firstWord + 1
  const wordTokens = tokens.filter((token) => !isSeparator(token))
  const left = tokens.indexOf(wordTokens[first.firstWord]!) - 1
  const right = tokens.indexOf(wordTokens[last.lastWord]!) + 1
  if (size <= c) return grow(text, tokens, { left, right, remaining: c - size })
  let cursor = right < tokens.length ? right : right - 1
  for (let remaining = size - c; remaining > 0; cursor--) if (!isSeparator(tokens[cursor]!)) remaining--
  return { start: 0, end: tokens[cursor]!.start }
}

/** The first and the last match of the best interval. */
export function plainInterval<T extends PlainMatch>(matches: readonly T[], c: number): { first: T; last: T } {
  let best: { score: number[]; first: T; last: T } | undefined
  const judge = (from: number, to: number): void => {
    const interval = matches.slice(from, to + 1)
    if (interval.length === 0) return
    const score = plainScore(interval)
    if (best === undefined || isGreater(score, best.score))
      best = { score, first: interval[0]!, last: interval.at(-1)! }
  }
  const lastIndex = matches.length - 1
  let f = 0
  for (let k = 0; k <= lastIndex; k++) {
    const last = matches[k]!.lastWord
    if (last - matches[f]!.firstWord < c) continue
    if (k !== 0) judge(f, k - 1)
    while (!(last - matches[f]!.firstWord < c || matches[f]!.firstWord > last || f === lastIndex)) f++
  }
  const final = matches[f]!
  if (!(f === lastIndex && final.lastWord - final.firstWord + 1 >= c)) judge(f, lastIndex)
  return best ?? { first: matches[0]!, last: matches[0]! }
}

function plainScore(interval: readonly PlainMatch[]): number[] {
  let distance = 0
  let order = 0
  for (const [i, match] of interval.entries()) {
    const next = interval[i + 1]
    distance -= match.lastWord - match.firstWord
    order += match.lastWord - match.firstWord
    if (next === undefined) continue
    distance -= Math.min(next.firstWord - match.lastWord, 7)
    if (Math.min(...next.ids) > Math.min(...match.ids)) order++
  }
  return [new Set(interval.flatMap(({ ids }) => ids)).size, distance, order]
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((part, place) => part !== b[place])
  return i !== -1 && a[i]! > b[i]!
}

function grow(text: string, tokens: readonly Token[], edges: { left: number; right: number; remaining: number }) {
  let { left, right, remaining } = edges
  while (remaining > 0) {
    const l = tokens[left]
    const r = tokens[right]
    if (l === undefined && r === undefined) break
    if (l === undefined) {
      if (!isSeparator(r!)) remaining--
      right++
    } else if (r === undefined) {
      if (!isSeparator(l)) remaining--
      left--
    } else if (isSeparator(l) && isSeparator(r)) {
      const isSameKind = (l.kind === 'hardSeparator') === (r.kind === 'hardSeparator')
      if (isSameKind) {
        left--
        if (remaining > 1) right++
      } else if (l.kind !== 'hardSeparator') left--
      else right++
    } else if (isSeparator(r)) {
      left--
      remaining--
    } else if (isSeparator(l)) {
      right++
      remaining--
    } else {
      left--
      remaining--
      if (remaining > 0) {
        right++
        remaining--
      }
    }
  }
  return { start: tokens[left]?.end ?? 0, end: tokens[right]?.start ?? text.length }
}

/** A value that is no object and no array, and the dotted path to it. */
export interface Leaf {
  readonly path: string
  readonly value: JsonValue
}

export const leavesOf = (value: JsonValue): Leaf[] => keyedLeavesOf(value).map(({ path, value }) => ({ path, value }))

/** `keyPaths` are the paths of the keys on the way, its own the last. */
function keyedLeavesOf(value: JsonValue, keyPaths: readonly string[] = []): (Leaf & { keyPaths: readonly string[] })[] {
  const path = keyPaths.at(-1)
  if (Array.isArray(value)) return value.flatMap((item) => keyedLeavesOf(item, keyPaths))
  if (!isObject(value)) return [{ path: path ?? '', value, keyPaths }]
  return [...value].flatMap(([key, member]) =>
    keyedLeavesOf(member, [...keyPaths, path === undefined ? key : `${path}.${key}`]),
  )
}

export interface PlainRequest {
  /** Known names; null for all. */
  readonly selected: readonly string[] | null
  /** Known names. */
  readonly highlighted: readonly string[]
  readonly terms: MatchTerms
}

/** The leaves of `_formatted`. */
export function plainFormatted(document: JsonObject, { selected, highlighted, terms }: PlainRequest): Leaf[] {
  const isShown = (keyPaths: readonly string[]) => selected === null || selected.some((name) => keyPaths.includes(name))
  const isMarked = (path: string) => highlighted.some((name) => isAtOrBelow(path, name) || isAtOrBelow(name, path))
  return keyedLeavesOf(document)
    .filter(({ keyPaths }) => isShown(keyPaths))
    .map(({ path, value }) => {
      const text = plainText(value)
      if (text === undefined) return { path, value }
      return { path, value: isMarked(path) ? plainHighlight(text, terms) : text }
    })
}

/** The keys of `_matchesPosition` when everything is displayed. */
export function plainMatchedPaths(document: JsonObject, terms: MatchTerms): string[] {
  const matched = leavesOf(document).filter(({ value }) => {
    const text = plainText(value)
    return text !== undefined && plainHighlight(text, terms) !== text
  })
  return [...new Set(matched.map(({ path }) => path))].sort()
}

const isAtOrBelow = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`)

function plainText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  return value === null || typeof value === 'boolean' ? undefined : print(value)
}

const analyzer = createAnalyzer()

function plainHighlight(text: string, terms: MatchTerms): string {
  let shown = ''
  let at = 0
  for (const { start, end } of plainMatches(text, analyzer.tokenize(text), terms)) {
    shown += `${text.slice(at, start)}<em>${text.slice(start, end)}</em>`
    at = end
  }
  return shown + text.slice(at)
}
