/**
 * Cuts a text into chunks of at most `maxUnits` UTF-16 units, never between the halves of a surrogate pair. Segmenters
 * that take more than linear time or memory get a long text without separators this way.
 */
export function* chunksOf(text: string, maxUnits: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = chunkEnd(text, start + maxUnits)
    yield text.slice(start, end)
    start = end
  }
}

function chunkEnd(text: string, end: number): number {
  if (end >= text.length) return text.length
  return text.codePointAt(end - 1)! > 0xffff ? end - 1 : end
}
