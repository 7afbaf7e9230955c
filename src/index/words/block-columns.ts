import type { WhichPlaces } from './model.js'
import type { BlockReader, PlaceColumns } from './posting-block.js'

/** The columns of blocks, one behind the other. */
export function placesOf(blocks: readonly BlockReader[], which: WhichPlaces = 'all'): PlaceColumns {
  const count = sum(blocks, (block) => block.count)
  const placeCount = sum(blocks, (block) => block.placeCountOf(which))
  const columns = { starts: new Uint32Array(count + 1), places: new Uint32Array(placeCount) }
  let docAt = 0
  let placeAt = 0
  for (const block of blocks) {
    block.readPlaces(columns, docAt, placeAt, which)
    docAt += block.count
    placeAt += block.placeCountOf(which)
  }
  columns.starts[count] = placeCount
  return columns
}

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}
