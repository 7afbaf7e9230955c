const SIZE = /^(\d+)(?:\.(\d+))? *(?:([kmgtpe])(i)?)?(b)?$/i
const PREFIXES = 'kmgtpe'
const BITS_PER_BYTE = 8n
const LARGEST = 2n ** 64n - 1n
// More digits than any size below 2^64 needs; a bound keeps the arithmetic on hostile text small.
const MAX_LENGTH = 64

/**
 * The number of bytes a size text stands for, rounded up, or undefined if it is not a size (spec 1 §6.1).
 * Only the case of the last letter matters: `B` is bytes, `b` is bits.
 *
 *     100 MB = 100 000 000     100Mb = 12 500 000     1 GiB = 1 073 741 824     512 = 512
 */
export function parseSize(text: string): number | undefined {
  const trimmed = text.trim()
  const match = trimmed.length <= MAX_LENGTH ? SIZE.exec(trimmed) : null
  if (!match) return undefined
  const [, whole = '', fraction = '', prefix, binary, unit] = match
  const step = binary ? 1024n : 1000n
  const factor = prefix ? step ** BigInt(PREFIXES.indexOf(prefix.toLowerCase()) + 1) : 1n
  const divisor = 10n ** BigInt(fraction.length) * (unit === 'b' ? BITS_PER_BYTE : 1n)
  const bytes = (BigInt(whole + fraction) * factor + divisor - 1n) / divisor
  return bytes <= LARGEST ? Number(bytes) : undefined
}
