/** The numbers of either list, ascending; both are. */
export function unitePositions(a: Uint32Array, b: Uint32Array): Uint32Array {
  const out = new Uint32Array(a.length + b.length)
  let i = 0
  let j = 0
  let count = 0
  while (i < a.length || j < b.length) {
    const left = i < a.length ? a[i]! : Number.POSITIVE_INFINITY
    const right = j < b.length ? b[j]! : Number.POSITIVE_INFINITY
    out[count++] = Math.min(left, right)
    if (left <= right) i++
    if (right <= left) j++
  }
  return out.subarray(0, count)
}

/** The numbers of `a` that are not in `b`, ascending; both are. */
export function subtractPositions(a: Uint32Array, b: Uint32Array): Uint32Array {
  const out = new Uint32Array(a.length)
  let j = 0
  let count = 0
  for (let i = 0; i < a.length; i++) {
    while (j < b.length && b[j]! < a[i]!) j++
    if (b[j] !== a[i]) out[count++] = a[i]!
  }
  return out.subarray(0, count)
}
