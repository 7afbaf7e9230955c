/** An entry of `attributesToCrop`. */
export interface CropEntry {
  /** A field, or `*`. */
  readonly name: string
  /** Words; 0 leaves the text whole. */
  readonly length: number
}

const COUNT = /^\+?\d+$/

/** What follows the last colon is a length if it is a count; if it is none, it counts for nothing (spec 5 §6.6). */
export function parseCropEntry(entry: string, defaultLength: number): CropEntry {
  const colon = entry.lastIndexOf(':')
  if (colon === -1) return { name: entry, length: defaultLength }
  const length = entry.slice(colon + 1)
  return { name: entry.slice(0, colon), length: COUNT.test(length) ? Number(length) : defaultLength }
}
