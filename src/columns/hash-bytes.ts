/** FNV-1a of the bytes from `start` up to `end`, beginning with `seed`. */
export function hashBytes(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let hash = seed
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x0100_0193)
  return hash
}
