import { join } from 'node:path'
import { done, OLDER_VERSION } from '../filled-server.js'
import type { TestServer } from '../server.js'

/** The version of the data folder that is kept with the tests: what is in it, and what is asked of it, stands here. */
export const FIXTURE_VERSION = OLDER_VERSION

/** An archive with the folder `data.ms` and what the older version answered. */
export const FIXTURE = join(import.meta.dirname, '..', 'fixtures', `data-folder-${FIXTURE_VERSION}.tar.gz`)
export const ANSWERS_FILE = 'answers.json'

const MOVIES = [
  { id: 1, title: 'The Lion King', year: 1994, genres: ['animation', 'family'], rating: 8.5, vector: [1, 0, 0, 0.1] },
  { id: 2, title: 'A Lioness of Paris', year: 2003, genres: ['drama'], rating: 6.1, vector: [0.9, 0.2, 0, 0] },
  { id: 3, title: 'Night of the Comet', year: 1984, genres: ['comedy', 'horror'], rating: 6.4, vector: [0, 1, 0, 0] },
  { id: 4, title: 'The Night Before', year: 2015, genres: ['comedy'], rating: 6.4, vector: [0, 0.8, 0.3, 0] },
  { id: 5, title: 'Sea of Stars', year: 1997, genres: ['science fiction'], rating: 7.2, vector: [0, 0, 1, 0] },
  {
    id: 6,
    title: 'Königin der Nacht',
    year: 2010,
    genres: ['music', 'drama'],
    rating: 7.9,
    vector: [0, 0.1, 0.9, 0.4],
  },
  { id: 7, title: '東京の夜', year: 1953, genres: ['drama'], rating: 8.1, vector: null },
  { id: 8, title: 'Fox and Hound', year: 1981, genres: ['animation', 'family'], rating: 7.2, vector: [0.7, 0, 0, 0.7] },
]

const CITIES = [
  { id: 'paris', name: 'Paris', population: 2_100_000, _geo: { lat: 48.8566, lng: 2.3522 } },
  { id: 'lyon', name: 'Lyon', population: 520_000, _geo: { lat: 45.764, lng: 4.8357 } },
  { id: 'tokyo', name: 'Tokyo', population: 13_960_000, _geo: { lat: 35.6762, lng: 139.6503 } },
  { id: 'suva', name: 'Suva', population: 93_000, _geo: { lat: -18.1416, lng: 178.4419 } },
  { id: 'atlantis', name: 'Atlantis', population: null },
]

/** Many words and values, so that structures have several blocks. */
const PRODUCTS = Array.from({ length: 250 }, (_, sku) => ({
  sku,
  name: `product ${sku} of series ${sku % 7}`,
  text: Array.from({ length: 8 }, (_, i) => `word${(sku * 31 + i * 17) % 499}`).join(' '),
  price: (sku * 7919) % 1000,
}))

/** A busy machine answers the same. */
const PATIENT = { searchCutoffMs: 60_000 }

export async function fillVaried(server: TestServer): Promise<void> {
  await done(server, 'PATCH', '/indexes/movies/settings', {
    filterableAttributes: [
      'genres',
      'year',
      { attributePatterns: ['rat*'], features: { filter: { comparison: true } } },
    ],
    sortableAttributes: ['year', 'rating'],
    synonyms: { film: ['movie'], queen: ['königin'] },
    stopWords: ['the', 'of'],
    dictionary: ['sea of stars'],
    ...PATIENT,
    typoTolerance: { minWordSizeForTypos: { oneTypo: 4 } },
    embedders: { manual: { source: 'userProvided', dimensions: 4 } },
  })
  const movies = MOVIES.map(({ vector, ...movie }) => ({ ...movie, _vectors: { manual: vector } }))
  await done(server, 'POST', '/indexes/movies/documents', movies)
  await done(server, 'PATCH', '/indexes/cities/settings', {
    ...PATIENT,
    filterableAttributes: ['_geo', 'population'],
    sortableAttributes: ['_geo', 'population'],
  })
  await done(server, 'POST', '/indexes/cities/documents', CITIES)
  await done(server, 'PATCH', '/indexes/products/settings', {
    ...PATIENT,
    filterableAttributes: ['price'],
    distinctAttribute: 'price',
  })
  await done(server, 'POST', '/indexes/products/documents?primaryKey=sku', PRODUCTS)
  await done(server, 'DELETE', '/indexes/products/documents/249')
  // One that fails.
  await done(server, 'POST', '/indexes/cities/documents', [{ nobody: 'knows me' }])
  await server.request('POST', '/keys', {
    uid: KEY,
    name: 'mine',
    actions: ['search'],
    indexes: ['mov*'],
    expiresAt: null,
  })
  await server.request('PATCH', '/experimental-features', { containsFilter: true })
}

const KEY = '6062abda-a5aa-4414-ac91-ecd7944c0f8d'

type Asked = readonly [method: string, path: string, body?: unknown]

const search = (index: string, body: object): Asked => [
  'POST',
  `/indexes/${index}/search`,
  { showRankingScore: true, ...body },
]
const vector = (values: readonly number[], ratio = 1) => ({
  vector: values,
  hybrid: { embedder: 'manual', semanticRatio: ratio },
})

const ASKED: readonly Asked[] = [
  ['GET', '/indexes'],
  ['GET', '/indexes/movies/settings'],
  ['GET', '/indexes/cities/settings'],
  ['GET', '/indexes/products/settings'],
  ['GET', '/indexes/movies/documents?limit=100&retrieveVectors=true'],
  ['GET', '/indexes/cities/documents?limit=100'],
  ['GET', '/indexes/products/documents?limit=20&offset=100'],
  ['GET', '/indexes/movies/documents/6'],
  ['GET', '/indexes/movies/stats'],
  ['GET', '/indexes/products/stats'],
  search('movies', { q: 'lion' }),
  search('movies', { q: 'lyon kign' }),
  search('movies', { q: 'film night', matchingStrategy: 'last' }),
  search('movies', { q: 'queen', attributesToHighlight: ['*'] }),
  search('movies', { q: '夜' }),
  search('movies', { q: '"night before"' }),
  search('movies', {
    filter: 'year > 1990 AND genres IN [drama, family]',
    sort: ['year:desc'],
    facets: ['genres', 'rating'],
  }),
  search('movies', { filter: 'genres CONTAINS "fic"' }),
  search('movies', { q: 'night', sort: ['rating:asc', 'year:asc'] }),
  search('movies', vector([0.1, 0.9, 0.1, 0])),
  search('movies', { q: 'lion', ...vector([0, 0.2, 0.9, 0], 0.5) }),
  ['POST', '/indexes/movies/similar', { id: 1, embedder: 'manual', showRankingScore: true }],
  ['POST', '/indexes/movies/facet-search', { facetName: 'genres', facetQuery: 'fam' }],
  search('cities', { filter: '_geoRadius(47, 3, 300000)', sort: ['_geoPoint(45, 5):asc'] }),
  search('cities', { filter: '_geoBoundingBox([10, 180], [-30, 170]) OR population IS NULL' }),
  search('cities', { q: 'pari', sort: ['population:desc'] }),
  search('products', { q: 'word31 series', limit: 5 }),
  search('products', { q: 'product 77', filter: 'price < 500', facets: ['price'], limit: 3 }),
  search('products', { q: 'wrod48', page: 1, hitsPerPage: 2 }),
  ['GET', '/keys'],
  ['GET', '/tasks?uids=0,1,2,3,4,5,6,7'],
  ['GET', '/batches?uids=0,1,2,3,4,5,6,7'],
  ['GET', '/experimental-features'],
]

export interface Answered {
  readonly request: string
  readonly status: number
  readonly body: unknown
}

/** What a client can see, without what differs from time to time. */
export async function answersOf(server: TestServer): Promise<Answered[]> {
  const answers: Answered[] = []
  for (const [method, path, body] of ASKED) {
    const answer = await server.request(method, path, body)
    const request = [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' ')
    answers.push({ request, status: answer.status, body: lasting(answer.body) })
  }
  return answers
}

const PASSING = new Set(['processingTimeMs', 'requestUid', 'rawDocumentDbSize', 'avgDocumentSize'])

/** Without what differs from time to time, and from version to version. */
export function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !PASSING.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, lasting(member)]))
}
