// Katakana and hiragana lie in the same order, this far apart.
const KATAKANA_TO_HIRAGANA = -0x60
const FIRST_KATAKANA = 0x30a1
const LAST_KATAKANA = 0x30fa
const LONG_VOWEL_MARK = 'ー'

// Counters and abbreviations rather than sounds.
const KEPT = new Set(['ヵ', 'ヶ'])

const ROWS = [
  ['あ', 'ァアカサタナハマヤャラワヮ'],
  ['い', 'ィイキシチニヒミリヰ'],
  ['う', 'ゥウクスツヌフムユュル'],
  ['え', 'ェエケセテネヘメレヱ'],
  ['う', 'ォオコソトノホモヨョロヲ'],
] as const

const longVowels = new Map(ROWS.flatMap(([vowel, row]) => [...row].map((letter) => [letter, vowel] as const)))

/**
 * Katakana as hiragana, character by character, with `ー` spelled out after a katakana letter (spec 5 §1.6, step 10).
 * `parts` holds the text of each original character, already decomposed, so that `バ` is `ハ` and U+3099: the mark is
 * not katakana, and a `ー` behind it stays. Pure hiragana passes unchanged.
 */
export function foldKana(parts: string[]): void {
  let vowel: string | undefined
  for (let i = 0; i < parts.length; i++) {
    let folded = ''
    for (const character of parts[i]!) {
      if (character === LONG_VOWEL_MARK) folded += vowel ?? character
      else {
        vowel = longVowels.get(character)
        folded += toHiragana(character)
      }
    }
    parts[i] = folded
  }
}

function toHiragana(character: string): string {
  const code = character.charCodeAt(0)
  if (code < FIRST_KATAKANA || code > LAST_KATAKANA || KEPT.has(character)) return character
  return String.fromCharCode(code + KATAKANA_TO_HIRAGANA)
}
