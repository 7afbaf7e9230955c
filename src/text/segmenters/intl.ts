import { chunksOf } from './chunks.js'

// Far longer than what is written without a space; twice as much takes the engine four times as long.
const MAX_CHUNK_UNITS = 2048

/** Words as the JavaScript engine's dictionaries see them; made on first use, because their data is large. */
export function intlSegmenter(locale: string): (piece: string) => readonly number[] {
  let words: Intl.Segmenter | undefined
  return (piece) => {
    words ??= new Intl.Segmenter(locale, { granularity: 'word' })
    const lengths: number[] = []
    for (const chunk of chunksOf(piece, MAX_CHUNK_UNITS)) {
      for (const { segment } of words.segment(chunk)) lengths.push(segment.length)
    }
    return lengths
  }
}
