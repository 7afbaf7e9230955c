import { Bitmap } from '../../bitmap/index.js'
import type { SearchIndex } from '../../match/index.js'
import { DistinctValues, distinctSource } from '../distinct.js'
import type { RankedDocument, Ranking, RankRequest } from '../model.js'
import type { WantedPin } from './wanted-pins.js'

/** A document that is there, passes the filter, and has a place of its own. */
export interface Pin {
  readonly docId: number
  readonly position: number
}

/** Those of the wanted documents that can be had. */
export function findPins({ folder }: SearchIndex, wanted: readonly WantedPin[], filter: Bitmap | null): Pin[] {
  const pins: Pin[] = []
  for (const { id, position } of wanted) {
    const docId = folder.docIdOf(id)
    if (docId !== undefined && (filter === null || filter.has(docId))) pins.push({ docId, position })
  }
  return pins
}

/** The documents that are ranked while others are pinned. */
export function withoutPins({ docIds }: SearchIndex, filter: Bitmap | null, pins: readonly Pin[]): Bitmap {
  return (filter ?? docIds).andNot(bitmapOf(pins))
}

const pinnedDocument = ({ docId, position }: Pin): RankedDocument => ({
  docId,
  details: [{ rule: 'pin', position }],
})

/** The ranking of all other documents with the pins in their places: they count in totals and facets. */
export function withPins(index: SearchIndex, organic: Ranking, pins: readonly Pin[], request: RankRequest): Ranking {
  const { depth, isExhaustive } = request
  const { key: _, ...ranking } = organic
  const documents = mergePins(organic.documents, pins, depth).map((each) =>
    'details' in each ? each : pinnedDocument(each),
  )
  const all = () => organic.candidates().or(bitmapOf(pins))
  const source = isExhaustive ? distinctSource(index, request) : null
  if (source === null) {
    return { ...ranking, documents, candidateCount: organic.candidateCount + pins.length, candidates: all }
  }
  const firsts = DistinctValues.firstOfEach(all().toArray(), source)
  return { ...ranking, documents, candidateCount: firsts.length, candidates: () => Bitmap.fromSorted(firsts) }
}

/**
 * A pin comes as soon as its place is reached; where nothing else is left, the rest of them come at once. Pins are in
 * the order of their places.
 */
export function mergePins<Organic, Pinned extends { readonly position: number }>(
  organic: readonly Organic[],
  pins: readonly Pinned[],
  depth: number,
): (Organic | Pinned)[] {
  const merged: (Organic | Pinned)[] = []
  let next = 0
  let pin = 0
  while (merged.length < depth && (next < organic.length || pin < pins.length)) {
    const isPinned = pin < pins.length && (pins[pin]!.position <= merged.length || next === organic.length)
    merged.push(isPinned ? pins[pin++]! : organic[next++]!)
  }
  return merged
}

function bitmapOf(pins: readonly Pin[]): Bitmap {
  return Bitmap.fromSorted(Uint32Array.from(pins, ({ docId }) => docId).sort())
}
