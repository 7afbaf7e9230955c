/** The same bytes in pieces of equal length, but for the last. None for no bytes. */
export async function* inChunks(bytes: AsyncIterable<Uint8Array>, chunkBytes: number): AsyncIterable<Uint8Array> {
  let chunk = Buffer.allocUnsafe(chunkBytes)
  let filled = 0
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(piece.length - at, chunkBytes - filled)
      chunk.set(piece.subarray(at, at + taken), filled)
      at += taken
      filled += taken
      if (filled < chunkBytes) continue
      yield chunk
      // The one before is still on its way.
      chunk = Buffer.allocUnsafe(chunkBytes)
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
