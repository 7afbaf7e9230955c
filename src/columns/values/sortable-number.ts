/** Eight bytes that sort as the numbers do. Zero and minus zero are the same. */
export function sortableNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  if (bytes[0]! & 0x80) for (let i = 0; i < 8; i++) bytes[i] = ~bytes[i]! & 0xff
  else bytes[0] = bytes[0]! | 0x80
  return bytes
}
