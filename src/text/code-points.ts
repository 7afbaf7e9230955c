/** A set of code points with a table for the basic plane: membership of a UTF-16 unit is one array read. */
export class CodePointSet {
  readonly #basic = new Uint8Array(0x10000)
  readonly #astral = new Set<number>()

  /** `ranges` are hexadecimal code points or `first-last` pairs, separated by spaces, as the spec prints them. */
  constructor(ranges: string) {
    for (const { first, last } of readRanges(ranges)) {
      this.#basic.fill(1, first, last + 1)
      for (let codePoint = Math.max(first, 0x10000); codePoint <= last; codePoint++) this.#astral.add(codePoint)
    }
  }

  has(codePoint: number): boolean {
    return codePoint < 0x10000 ? this.#basic[codePoint] === 1 : this.#astral.has(codePoint)
  }
}

/** The ranges of a list such as `0021 055C-055E`, both ends included, in its order. */
export function readRanges(ranges: string): { readonly first: number; readonly last: number }[] {
  if (ranges === '') return []
  return ranges.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-')
    return { first: parseInt(first, 16), last: parseInt(last, 16) }
  })
}

/** All code points of such a list. */
export function* codePointsOf(ranges: string): Generator<number> {
  for (const { first, last } of readRanges(ranges)) {
    for (let codePoint = first; codePoint <= last; codePoint++) yield codePoint
  }
}

/** White space as Unicode counts it: unlike `\s` it has U+0085 and lacks U+FEFF. */
function isWhiteSpace(codePoint: number): boolean {
  if (codePoint < 0x80) return codePoint === 0x20 || (codePoint >= 0x09 && codePoint <= 0x0d)
  if (codePoint >= 0x2000 && codePoint <= 0x200a) return true
  return OTHER_WHITE_SPACE.includes(codePoint)
}

const OTHER_WHITE_SPACE = [0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]

/** `text` without white space (as Unicode counts it) at both ends; all of it lies in the basic plane. */
export function trimWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/** How many UTF-16 units the code point at `index` takes. */
export function unitsAt(text: string, index: number): 1 | 2 {
  return text.codePointAt(index)! > 0xffff ? 2 : 1
}
