import { toPosition } from '../integer.js'
import { indexPosition, type Portion, portion, rangePortion, startPosition } from '../text.js'
import type { Int, Value } from '../value.js'
import { anything, array, type Host, inPlace, int, range } from './define.js'

/** Functions that change an array and call nothing back (spec 3 §6.5). Theirs is always an owned one. */
export const ARRAYS_IN_PLACE = [
  inPlace('push', [array, anything], ([items, item], host) => insert(items, { at: items.length, added: [item] }, host)),
  inPlace('append', [array, array], ([items, added], host) => insert(items, { at: items.length, added }, host)),
  inPlace('insert', [array, int, anything], ([items, index, item], host) =>
    insert(items, { at: startPosition(items.length, index), added: [item] }, host),
  ),
  inPlace('pad', [array, int, anything], ([items, length, item], host) => pad(items, { length, item }, host)),
  inPlace('set', [array, int, anything], ([items, index, item]) => {
    const position = indexPosition(items.length, index)
    if (position !== undefined) items[position] = item
    return null
  }),

  inPlace('pop', [array], ([items]) => items.pop() ?? null),
  inPlace('shift', [array], ([items], host) => removeAt(items, 0, host)),
  inPlace('remove', [array, int], ([items, index], host) => removeAt(items, index, host)),
  inPlace('clear', [array], ([items]) => keep(items, { from: 0, to: 0 })),
  inPlace('truncate', [array, int], ([items, length]) => keep(items, portion(items.length, 0, length))),
  inPlace('chop', [array, int], ([items, length]) => keep(items, lastPortion(items.length, length))),
  inPlace('reverse', [array], ([items], host) => {
    host.meter.spendCopies(items.length)
    items.reverse()
    return null
  }),

  inPlace('splice', [array, int, int, array], ([items, start, length, added], host) =>
    replace(items, { part: portion(items.length, start, length), added }, host),
  ),
  inPlace('splice', [array, range, array], ([items, given, added], host) =>
    replace(items, { part: rangePortion(items.length, given), added }, host),
  ),
  inPlace('split', [array, int], ([items, index]) => items.splice(startPosition(items.length, index))),
  inPlace('drain', [array, int, int], ([items, start, length]) => drain(items, portion(items.length, start, length))),
  inPlace('drain', [array, range], ([items, given]) => drain(items, rangePortion(items.length, given))),
  inPlace('retain', [array, int, int], ([items, start, length]) => retain(items, portion(items.length, start, length))),
  inPlace('retain', [array, range], ([items, given]) => retain(items, rangePortion(items.length, given))),
]

function insert(items: Value[], change: { at: number; added: readonly Value[] }, host: Host): null {
  return replace(items, { part: { from: change.at, to: change.at }, added: change.added }, host)
}

function replace(items: Value[], change: { part: Portion; added: readonly Value[] }, host: Host): null {
  const { part, added } = change
  const removed = part.to - part.from
  host.meter.checkEntries(items.length - removed + added.length)
  host.meter.spendCopies(items.length - part.from + added.length)
  // The added entries stay in the array they come from.
  for (const item of added) host.share(item)
  items.splice(part.from, removed, ...added)
  return null
}

function pad(items: Value[], wanted: { length: Int; item: Value }, host: Host): null {
  const length = toPosition(wanted.length)
  if (length <= items.length) return null
  host.meter.checkEntries(length)
  host.meter.spendCopies(length - items.length)
  while (items.length < length) items.push(wanted.item)
  return null
}

function removeAt(items: Value[], index: Int, host: Host): Value {
  const position = indexPosition(items.length, index)
  if (position === undefined) return null
  host.meter.spendCopies(items.length - position)
  return items.splice(position, 1)[0] ?? null
}

function lastPortion(size: number, length: Int): Portion {
  const kept = Math.min(size, Math.max(0, toPosition(length)))
  return { from: size - kept, to: size }
}

function keep(items: Value[], part: Portion): null {
  items.length = part.to
  items.splice(0, part.from)
  return null
}

function drain(items: Value[], part: Portion): Value[] {
  return items.splice(part.from, part.to - part.from)
}

function retain(items: Value[], part: Portion): Value[] {
  const tail = items.splice(part.to)
  return [...items.splice(0, part.from), ...tail]
}
