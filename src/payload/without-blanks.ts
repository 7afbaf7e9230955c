import { isBlank } from './value-scanner.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The valid JSON text from `start` to `end` without the blanks that are in no string. */
export function withoutBlanks(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const kept = Buffer.allocUnsafe(end - start)
  let length = 0
  let isInString = false
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if (isInString) {
      if (byte === BACKSLASH) kept[length++] = bytes[i++]!
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (isBlank[byte] === 1) continue
    kept[length++] = bytes[i]!
  }
  return kept.subarray(0, length)
}
