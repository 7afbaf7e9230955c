import type { PageWindow } from '../engine/index.js'
import { mergePins } from '../rank/index.js'
import type { Duplicates } from './duplicates.js'
import { mergeByScore } from './merge.js'
import { type CountedDocument, type FederatedHit, isSemantic, type Pinned } from './model.js'

interface Taking {
  readonly window: PageWindow
  readonly duplicates: Duplicates
  /** Documents that count although nobody asked for them as hits. */
  readonly uncounted: readonly CountedDocument[]
  /** A document that is like another one must not be counted. */
  readonly forget: (document: CountedDocument) => void
}

/** The hits of one list. */
export interface Source {
  readonly hits: readonly FederatedHit[]
  readonly pins: readonly Pinned[]
}

interface Page {
  readonly hits: FederatedHit[]
  readonly organic: readonly FederatedHit[]
  readonly semanticHitCount: number
  readonly rejected: number
}

/** The hits of the page out of several lists, each in its own order. */
export function takePage(sources: readonly Source[], taking: Taking): Page {
  const { skip, take } = taking.window
  const { organic, rejected } = mergeHits(sources, taking)
  const pins = sources.flatMap((source) => source.pins).sort((a, b) => a.position - b.position)
  if (pins.length === 0) {
    const hits = organic.slice(skip)
    return { hits, organic, semanticHitCount: hits.filter(isSemantic).length, rejected }
  }
  const merged = mergePins(organic, pins, skip + take).map((each) => ('hit' in each ? each.hit : each))
  // Beside pins all hits up to the end of the page are counted, as recorded answers have it.
  return { hits: merged.slice(skip), organic, semanticHitCount: merged.filter(isSemantic).length, rejected }
}

/** With a distinct attribute all hits are looked at, beyond the page too, since each duplicate changes the counts. */
function mergeHits(
  sources: readonly Source[],
  { window: { skip, take }, duplicates, uncounted, forget }: Taking,
): { organic: FederatedHit[]; rejected: number } {
  const organic: FederatedHit[] = []
  let rejected = 0
  const isTaken = (document: CountedDocument): boolean => {
    if (duplicates.take(document)) return true
    rejected++
    forget(document)
    return false
  }
  for (const hit of mergeByScore(sources.map((source) => source.hits))) {
    if (!duplicates.arePossible && organic.length === skip + take) break
    if (isTaken(hit) && organic.length < skip + take) organic.push(hit)
  }
  for (const document of uncounted) isTaken(document)
  return { organic, rejected }
}
