import { readFilms } from '../data.js'
import { type Film, makeSearches } from '../example-searches.js'
import { postBodies } from '../fill.js'
import { Shop } from '../synthetic.js'
import type { SearchSet } from '../workload.js'

/** Documents to spread over servers, and searches for them. */
export interface Collection extends Pick<SearchSet, 'index' | 'primaryKey' | 'settings'> {
  readonly what: string
  readonly count: number
  /** Made one after the other, however many there are. */
  bodies(): Iterable<Buffer>
  /** Others for another seed. */
  searches(seed: number): SearchSet['searches']
}

const PER_KIND = 20

export function films(): Collection {
  const documents = readFilms()
  const { index, primaryKey, settings } = makeSearches(documents as unknown as Film[])
  return {
    ...{ index, primaryKey, settings },
    what: 'films',
    count: documents.length,
    bodies: () => postBodies(documents),
    searches: (seed) => makeSearches(documents as unknown as Film[], { seed, perKind: PER_KIND }).searches,
  }
}

const BODY_SIZE = 10_000
const SETTINGS = {
  searchableAttributes: ['title', 'brand'],
  filterableAttributes: ['brand', 'price'],
  sortableAttributes: ['price'],
}

/** Articles of a made shop, some hundred bytes each. */
export function smallArticles(count: number): Collection {
  return {
    ...{ index: 'shop', primaryKey: 'id', settings: SETTINGS },
    what: 'small articles',
    count,
    bodies: () => articleBodies(count),
    searches: searchesInShop,
  }
}

function* articleBodies(count: number): Iterable<Buffer> {
  const shop = new Shop()
  for (let from = 0; from < count; from += BODY_SIZE) {
    const articles = Array.from({ length: Math.min(BODY_SIZE, count - from) }, (_, i) => shop.smallArticle(from + i))
    yield Buffer.from(JSON.stringify(articles))
  }
}

function searchesInShop(seed: number): SearchSet['searches'] {
  const shop = new Shop(1_000 + seed)
  const two = () => `${shop.typicalWord()} ${shop.typicalWord()}`
  const kinds: Record<string, () => object> = {
    'one word': () => ({ q: shop.typicalWord() }),
    'two words': () => ({ q: two() }),
    'prefix of a word': () => ({ q: shop.typicalWord().slice(0, 2 + shop.below(4)) }),
    'two words, filter': () => ({ q: two(), filter: `price < ${shop.below(900)}` }),
    'one word, sort': () => ({ q: shop.typicalWord(), sort: ['price:asc'] }),
    'one word, facets': () => ({ q: shop.typicalWord(), facets: ['brand'] }),
  }
  return Object.entries(kinds).flatMap(([kind, make]) =>
    Array.from({ length: 5 * PER_KIND }, () => ({ kind, body: { ...make(), attributesToRetrieve: ['id'] } })),
  )
}
