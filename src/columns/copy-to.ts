type Numbers = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array

/** What a new, larger array takes over from the one that has become too small. */
export function copyTo<T extends Numbers>(target: T, source: T): T {
  target.set(source)
  return target
}
