/** What a list or a member of an object weighs beside its values (see `parse.ts`). */
export const PART_WEIGHT = 4

/** What an object weighs beside its members: an empty one takes more than 200 bytes. */
export const OBJECT_WEIGHT = 12

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/**
 * What the values of a JSON text weigh at least, counted by its marks alone. The first values of lists and objects have
 * no comma and are left out. Of a text that is not JSON it is some number.
 */
export function leastWeight(bytes: Uint8Array): number {
  let weight = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === COMMA) weight++
    else if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COLON || byte === OPEN_LIST) weight += PART_WEIGHT
    else if (byte === OPEN_OBJECT) weight += OBJECT_WEIGHT
  }
  return weight
}

/** Where the string ends that begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return at
}
