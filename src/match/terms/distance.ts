/** No distance of 1 to 3: words farther apart are as good as unrelated (spec 5 §2.5). */
export const FAR = 4

/**
 * The smallest distance at which some place of `right` follows one of `left` in the same field: 1, 2, 3, or `FAR`.
 * Both stretches are ascending, so each is walked once.
 */
export function followDistance(
  left: Uint32Array,
  leftFrom: number,
  leftTo: number,
  right: Uint32Array,
  rightFrom: number,
  rightTo: number,
): number {
  let best = FAR
  let j = rightFrom
  for (let i = leftFrom; i < leftTo; i++) {
    const place = left[i]!
    while (j < rightTo && right[j]! <= place) j++
    if (j === rightTo) return best
    const distance = right[j]! - place
    if (distance >= best || right[j]! >>> 16 !== place >>> 16) continue
    if (distance === 1) return 1
    best = distance
  }
  return best
}

/** Some field holds a place of both. */
export function shareField(
  left: Uint32Array,
  leftFrom: number,
  leftTo: number,
  right: Uint32Array,
  rightFrom: number,
  rightTo: number,
): boolean {
  let j = rightFrom
  for (let i = leftFrom; i < leftTo; i++) {
    const field = left[i]! >>> 16
    while (j < rightTo && right[j]! >>> 16 < field) j++
    if (j === rightTo) return false
    if (right[j]! >>> 16 === field) return true
  }
  return false
}
