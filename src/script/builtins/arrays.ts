import { equals } from '../comparison.js'
import { contains } from '../operators.js'
import { indexPosition, type Portion, portion, rangePortion, startPosition } from '../text.js'
import type { Int, Value } from '../value.js'
import { anything, array, data, type Host, int, property, pure, range } from './define.js'

/** Functions of arrays that leave them as they are and call nothing back (spec 3 §6.5). */
export const ARRAYS = [
  property('len', array, (items) => items.length),
  property('is_empty', array, (items) => items.length === 0),
  pure('contains', [array, anything], ([items, item], host) => contains(items, item, host.meter)),
  pure('index_of', [array, data], ([items, item], host) => indexOf(items, { item, from: 0 }, host)),
  pure('index_of', [array, data, int], ([items, item, from], host) => indexOf(items, { item, from }, host)),
  pure('get', [array, int], ([items, index]) => items[indexPosition(items.length, index) ?? -1] ?? null),
  pure('extract', [array, int], ([items, start], host) => part(items, portion(items.length, start), host)),
  pure('extract', [array, int, int], ([items, start, length], host) =>
    part(items, portion(items.length, start, length), host),
  ),
  pure('extract', [array, range], ([items, given], host) => part(items, rangePortion(items.length, given), host)),
]

function indexOf(items: readonly Value[], wanted: { item: Value; from: Int }, host: Host): number {
  const start = startPosition(items.length, wanted.from)
  return items.findIndex((item, i) => i >= start && equals(item, wanted.item, host.meter))
}

function part(items: readonly Value[], given: Portion, host: Host): Value[] {
  host.meter.spendCopies(given.to - given.from)
  return items.slice(given.from, given.to)
}
