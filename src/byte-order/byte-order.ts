/** Negative, zero or positive, as `Array.prototype.sort` wants it. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return codePointRank(left) - codePointRank(right)
  }
  return a.length - b.length
}

// Surrogates (U+D800-U+DFFF) stand for code points above all others, so they move behind U+E000-U+FFFF.
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

export function sortedUnique(words: Iterable<string>): string[] {
  return [...new Set(words)].sort(compareBytes)
}

/** The same entries, by the byte order of their names. */
export function sortedByName<T>(entries: Iterable<readonly [string, T]>): Map<string, T> {
  return new Map([...entries].sort(([a], [b]) => compareBytes(a, b)))
}
