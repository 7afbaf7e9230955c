/** The longest normalized value that is stored, in UTF-8 bytes (spec 3 §3.3). */
export const MAX_STORED_BYTES = 468

/**
 * The form in which filters, facets, sort and distinct compare strings: trimmed, decomposed for compatibility (NFKD),
 * in lower case. Accents stay, as combining marks. Not cut: a literal longer than what is stored never equals.
 */
export function normalizeFacet(text: string): string {
  if (TRIMMED_ASCII.test(text)) return text.toLowerCase()
  return trimWhiteSpace(text).normalize('NFKD').toLowerCase()
}

/** Of this nothing but the case changes. */
const TRIMMED_ASCII = /^[!-~](?:[ -~]*[!-~])?$/

/** `normalizeFacet`, cut between characters to what the index stores. */
export function normalizeStoredFacet(text: string): string {
  return cutToBytes(normalizeFacet(text), MAX_STORED_BYTES)
}

// Unicode's White_Space. `String.trim` differs: it takes U+FEFF off and leaves U+0085.
const WHITE_SPACE = /\p{White_Space}/u

// Two loops: a regular expression for the end of the text would be quadratic in runs of inner blanks.
function trimWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && WHITE_SPACE.test(text[start]!)) start++
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

function cutToBytes(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each of its UTF-16 units.
  if (text.length * 3 <= maxBytes) return text
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) return text.slice(0, end)
    end += character.length
  }
  return text
}
