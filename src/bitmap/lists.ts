/** Set operations on lists of containers in increasing order of keys: the walk over the keys. */
import type { Container } from './container.js'
import { KEY_SPAN, share } from './container.js'
import { nextValue } from './navigate.js'
import { absorb, countCommon, erase, intersect, isWithin, meets, subtract } from './pairs.js'

export type ContainerList = readonly Container[]

/**
 * The index of the first container at or after `from` whose key is >= `key`, or the length of the list.
 *
 * Keys are distinct, so the wanted one lies at most as many places on as it is greater. In a set without large gaps
 * that place is where it is, which makes this one look.
 */
export function seek(list: ContainerList, from: number, key: number): number {
  if (from >= list.length || list[from]!.key >= key) return from
  let lo = from + 1
  let hi = Math.min(from + key - list[from]!.key, list.length - 1)
  const last = list[hi]!.key
  if (last <= key) return last === key ? hi : hi + 1
  while (lo < hi) {
    const middle = (lo + hi) >>> 1
    if (list[middle]!.key < key) lo = middle + 1
    else hi = middle
  }
  return lo
}

export function intersectLists(a: ContainerList, b: ContainerList): Container[] {
  const out: Container[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i]!
    const right = b[j]!
    if (left.key < right.key) i = seek(a, i, right.key)
    else if (right.key < left.key) j = seek(b, j, left.key)
    else {
      const common = intersect(left, right)
      if (common !== null) out.push(common)
      i++
      j++
    }
  }
  return out
}

/** All containers of both; where both have one for a key, what `combine` makes of them. */
export function mergeLists(
  a: ContainerList,
  b: ContainerList,
  combine: (a: Container, b: Container) => Container | null,
): Container[] {
  const out: Container[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i]!
    const right = b[j]!
    if (left.key < right.key) {
      out.push(share(left))
      i++
    } else if (right.key < left.key) {
      out.push(share(right))
      j++
    } else {
      const combined = combine(left, right)
      if (combined !== null) out.push(combined)
      i++
      j++
    }
  }
  for (; i < a.length; i++) out.push(share(a[i]!))
  for (; j < b.length; j++) out.push(share(b[j]!))
  return out
}

export function subtractLists(a: ContainerList, b: ContainerList): Container[] {
  const out: Container[] = []
  let j = 0
  for (const left of a) {
    j = seek(b, j, left.key)
    const right = b[j]
    const rest = right?.key === left.key ? subtract(left, right) : share(left)
    if (rest !== null) out.push(rest)
  }
  return out
}

/** Adds `b` to the list `a`, whose bitsets may change. */
export function absorbList(a: Container[], b: ContainerList): Container[] {
  const missing: Container[] = []
  let i = 0
  for (const right of b) {
    i = seek(a, i, right.key)
    if (a[i]?.key === right.key) a[i] = absorb(a[i]!, right)
    else missing.push(share(right))
  }
  if (missing.length === 0) return a
  return a.concat(missing).sort((x, y) => x.key - y.key)
}

/** Takes `b` away from the list `a`, whose bitsets may change. */
export function eraseList(a: Container[], b: ContainerList): Container[] {
  const out: Container[] = []
  let j = 0
  for (const left of a) {
    j = seek(b, j, left.key)
    const right = b[j]
    const rest = right?.key === left.key ? erase(left, right) : left
    if (rest !== null) out.push(rest)
  }
  return out
}

export function countCommonOfLists(a: ContainerList, b: ContainerList): number {
  let count = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i]!
    const right = b[j]!
    if (left.key < right.key) i = seek(a, i, right.key)
    else if (right.key < left.key) j = seek(b, j, left.key)
    else {
      count += countCommon(left, right)
      i++
      j++
    }
  }
  return count
}

export function listsMeet(a: ContainerList, b: ContainerList): boolean {
  let j = 0
  for (const left of a) {
    j = seek(b, j, left.key)
    if (j === b.length) return false
    if (b[j]!.key === left.key && meets(left, b[j]!)) return true
  }
  return false
}

/** The smallest id of both, or -1: containers behind the first one that both share an id of are not looked at. */
export function firstOfBothLists(a: ContainerList, b: ContainerList): number {
  let j = 0
  for (const left of a) {
    j = seek(b, j, left.key)
    if (j === b.length) return -1
    const common = b[j]!.key === left.key ? intersect(left, b[j]!) : null
    if (common !== null) return left.key * KEY_SPAN + nextValue(common, 0)
  }
  return -1
}

export function isListWithin(a: ContainerList, b: ContainerList): boolean {
  if (a.length > b.length) return false
  let j = 0
  for (const left of a) {
    j = seek(b, j, left.key)
    if (b[j]?.key !== left.key || !isWithin(left, b[j]!)) return false
  }
  return true
}

export function countOfList(list: ContainerList): number {
  let count = 0
  for (let i = 0; i < list.length; i++) count += list[i]!.count
  return count
}
