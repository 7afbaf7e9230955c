import { compareBytes } from '../../byte-order/index.js'
import { buildTypoAutomaton, type TypoAutomaton } from '../../text/index.js'

/** Texts in byte order. */
export interface SortedTexts {
  readonly size: number
  foldedAt(index: number): string
}

/** Texts that stand behind one another: from `from` up to, not including, `to`. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** The texts that equal `text`. */
export function equalTexts(texts: SortedTexts, text: string): TextRange[] {
  const from = firstIndex(texts, { from: 0, to: texts.size }, (other) => compareBytes(other, text) >= 0)
  const to = firstIndex(texts, { from, to: texts.size }, (other) => other !== text)
  return [{ from, to }]
}

/** The texts that begin with `prefix`. */
export function textsStartingWith(texts: SortedTexts, prefix: string): TextRange[] {
  const from = firstIndex(texts, { from: 0, to: texts.size }, (other) => compareBytes(other, prefix) >= 0)
  const to = firstIndex(texts, { from, to: texts.size }, (other) => !other.startsWith(prefix))
  return [{ from, to }]
}

/** The texts that begin with `prefix` when at most `maxTypos` typos are forgiven (`prefixTypoDistance`). */
export function textsStartingNear(texts: SortedTexts, prefix: string, maxTypos: number): TextRange[] {
  if (maxTypos === 0) return textsStartingWith(texts, prefix)
  const automaton = buildTypoAutomaton(prefix, maxTypos, true)
  const ranges: TextRange[] = []
  visit({ texts, automaton, maxTypos, ranges }, { from: 0, to: texts.size, length: 0, state: automaton.start })
  return ranges
}

interface Walk {
  readonly texts: SortedTexts
  readonly automaton: TypoAutomaton
  readonly maxTypos: number
  readonly ranges: TextRange[]
}

/** The texts with a beginning in common, which is `length` long and leads to `state`. */
interface Node extends TextRange {
  readonly length: number
  readonly state: number
}

/** Goes down from each beginning to the longer ones, as if the sorted texts were a tree. As deep as texts are long. */
function visit(walk: Walk, { from, to, length, state }: Node): void {
  const { texts, automaton, maxTypos, ranges } = walk
  if (!automaton.canMatch(state)) return
  let at = from
  while (at < to) {
    const codePoint = texts.foldedAt(at).codePointAt(length)
    const next = codePoint === undefined ? state : automaton.step(state, codePoint)
    const isNear = automaton.distance(state) <= maxTypos
    if (codePoint === undefined) {
      // A text that ends here comes before all that go on.
      if (isNear) ranges.push({ from: at, to: at + 1 })
      at++
    } else if (next === state) {
      // Whatever follows changes nothing any more.
      if (isNear) ranges.push({ from: at, to })
      return
    } else {
      const end = endOfBranch(texts, { from: at, to }, (text) => text.codePointAt(length) !== codePoint)
      visit(walk, { from: at, to: end, length: length + (codePoint > 0xffff ? 2 : 1), state: next })
      at = end
    }
  }
}

/** The first index for which `isBehind` holds, in doubling steps: most branches are short. */
function endOfBranch(texts: SortedTexts, { from, to }: TextRange, isBehind: (text: string) => boolean): number {
  let low = from + 1
  for (let step = 1; ; step *= 2) {
    const probe = from + step
    if (probe >= to) return firstIndex(texts, { from: low, to }, isBehind)
    if (isBehind(texts.foldedAt(probe))) return firstIndex(texts, { from: low, to: probe }, isBehind)
    low = probe + 1
  }
}

/** The first index in the range for which `test` holds, its end when there is none; `test` holds for all behind it. */
function firstIndex(texts: SortedTexts, { from, to }: TextRange, test: (text: string) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (test(texts.foldedAt(middle))) high = middle
    else low = middle + 1
  }
  return low
}
