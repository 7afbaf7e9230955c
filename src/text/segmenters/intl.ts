/** Words as the JavaScript engine's dictionaries see them; made on first use, because their data is large. */
export function intlSegmenter(locale: string): (piece: string) => readonly number[] {
  let words: Intl.Segmenter | undefined
  return (piece) => {
    words ??= new Intl.Segmenter(locale, { granularity: 'word' })
    return Array.from(words.segment(piece), ({ segment }) => segment.length)
  }
}
