// Longer stems are rarer in texts, shorter ones fewer. Above the limit, looking for all of them costs as much as cutting
// the text into words.
const STEM_UNITS = [6, 3]
const MAX_STEMS = 32

const PLAIN_ASCII = /^[\t\n\r -~]*$/

/**
 * A quick no for texts in which no word of a query can be. Words of ASCII text are normalized to lower case and nothing
 * else, so a word that starts with "princess" is in a text only if "prince" is in its lower-case form. Of other texts,
 * and when there are too many such stems, nothing is known.
 */
export class TextFilter {
  private readonly stems: readonly string[] | undefined

  /** `lists` hold all words and prefixes of words that a match may begin with. */
  constructor(lists: readonly (readonly string[])[]) {
    for (const units of STEM_UNITS) this.stems ??= stemsOf(lists, units)
  }

  /** False only when nothing in the text matches. It may be JSON text, if nothing in that is escaped. */
  mayMatch(text: string): boolean {
    if (this.stems === undefined || !PLAIN_ASCII.test(text)) return true
    const lowerCase = text.toLowerCase()
    return this.stems.some((stem) => lowerCase.includes(stem))
  }
}

/** Undefined when there are too many. */
function stemsOf(lists: readonly (readonly string[])[], units: number): readonly string[] | undefined {
  const stems = new Set<string>()
  for (const words of lists) {
    let last: string | undefined
    for (const word of words) {
      // Most neighbours in a list begin alike.
      if (last !== undefined && word.startsWith(last)) continue
      last = word.slice(0, units)
      stems.add(last)
      if (stems.size > MAX_STEMS) return undefined
    }
  }
  return [...stems]
}
