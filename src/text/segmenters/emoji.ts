// A flag's letter, a number on a key, or a pictograph; then more of them, joined or changed by what stands between. Pictographs
// among the letters of a script, such as U+3297, are left to it.
const EMOJI =
  /(?:\p{Regional_Indicator}|[0-9#*]\ufe0f?\u20e3|(?=[\u2190-\u2bff\u{1f000}-\u{1fbff}])\p{Extended_Pictographic})(?:\p{Regional_Indicator}|[0-9#*]\ufe0f?\u20e3|(?=[\u2190-\u2bff\u{1f000}-\u{1fbff}])\p{Extended_Pictographic}|[\u200d\ufe0f\p{Emoji_Modifier}\u{e0020}-\u{e007f}])*/gu

// Every picture has one of these, and most pieces have none.
const MAY_BE_EMOJI = /[\u20e3\u2190-\u2bff\ud83c-\ud83e]/

/**
 * The lengths of the segments of a piece: neighbouring emoji are one word, as they are where nothing is cut, and what stands
 * between is cut by `segment`. Left to the dictionary of a language, a family would fall apart into persons.
 */
export function segmentAroundEmoji(piece: string, segment: (text: string) => readonly number[]): readonly number[] {
  if (!MAY_BE_EMOJI.test(piece)) return segment(piece)
  const lengths: number[] = []
  const cut = (text: string): void => {
    if (text !== '') for (const length of segment(text)) lengths.push(length)
  }
  let start = 0
  for (const { 0: emoji, index } of piece.matchAll(EMOJI)) {
    cut(piece.slice(start, index))
    lengths.push(emoji.length)
    start = index + emoji.length
  }
  cut(piece.slice(start))
  return lengths
}
