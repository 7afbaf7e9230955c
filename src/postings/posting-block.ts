/**
 * A block of the postings of one word, the value of the database `postings`:
 *
 * ```
 * version(1 byte) head(varint) positionCount(varint) docId*(varint) position*(varint)
 * ```
 *
 * `head` is the number of documents times two, plus one in the first block of a word that may have others. The first
 * docId is counted from the lower bound in the key, each other one from the docId before it plus one. All docIds stand
 * before all positions, so they can be read alone.
 *
 * A position is the field and the position in it, both as differences from the place before it in the same document:
 *
 * ```
 * bit 0     another place of the same document follows
 * bits 1-3  how much larger the field is; 7: by 7 and what a second varint says
 * bits 4-   the position; in the same field how much larger it is
 * ```
 *
 * A word in one of the first fields at one of the first positions takes one byte, most others two.
 *
 * Blocks with very many positions for each document have another version, in which some can be read without the others:
 *
 * ```
 * version(1 byte) head(varint) positionCount(varint) firstCount(varint) docId*(varint) first*(varint) other*(varint)
 * ```
 *
 * The first positions are those that come first in their field of a document; the others of a document follow each other as
 * above, and a document that has none of them has a zero there, which would be the first place of the first field.
 */
export const VERSION = 1
export const VERSION_WITH_FIRSTS = 2

export const FIELD_SHIFT = 1
export const FIELD_ESCAPE = 7
export const POSITION_SHIFT = 4

/** The documents of a word and its positions in them, from anywhere. As `Postings`, but arrays may be longer than used. */
export interface PostingColumns {
  readonly docIds: Uint32Array
  readonly starts: Uint32Array
  readonly positions: Uint32Array
}

export type PositionColumns = Omit<PostingColumns, 'docIds'>

/** Whether a position is the first one in its field of a document, whose positions begin at `from`. */
export function isFirstPosition(positions: Uint32Array, at: number, from: number): boolean {
  return at === from || positions[at]! >>> 16 !== positions[at - 1]! >>> 16
}

/** Version and the two counts, at most. */
export const MAX_HEAD_BYTES = 11
/** What the third one adds. */
export const MAX_FIRST_COUNT_BYTES = 5
