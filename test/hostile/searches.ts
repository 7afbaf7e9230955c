import { seededRandom } from '../random.js'

/** One search that is meant to hurt. */
export interface HostileSearch {
  readonly name: string
  readonly body: object
}

type Attack = readonly [name: string, make: (random: Random) => object]

/** Numbers that only the seed decides. */
class Random {
  private readonly next: () => number

  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  text(length: number, letters = 'abcdefghijklmnopqrstuvwxyz'): string {
    return Array.from({ length }, () => letters[this.below(letters.length)]).join('')
  }

  words(count: number, length = 5): string {
    return Array.from({ length: count }, () => this.text(1 + this.below(length))).join(' ')
  }
}

const nested = (depth: number, inner: string): string => `${'('.repeat(depth)}${inner}${')'.repeat(depth)}`

/** What a filter could be made of, again and again. */
const CONDITION = 'price > 1'

const ATTACKS: readonly Attack[] = [
  ['ten thousand words', (random) => ({ q: random.words(10_000) })],
  ['one word of a million letters', (random) => ({ q: random.text(1_000_000) })],
  ['letters that are words with typos everywhere', (random) => ({ q: random.words(10, 3) })],
  ['long words with two typos', (random) => ({ q: Array.from({ length: 10 }, () => random.text(12)).join(' ') })],
  ['single letters', (random) => ({ q: random.words(1 + random.below(10), 1) })],
  ['the most frequent words', (random) => ({ q: `babe ${random.pick(['b', 'ba', 'be'])} babes baben` })],
  ['thousands of phrases', (random) => ({ q: `"${random.words(3)}" `.repeat(3000) })],
  ['one phrase of thousands of words', (random) => ({ q: `"${random.words(5000)}"` })],
  ['thousands of negative words', (random) => ({ q: `a ${`-${random.text(4)} `.repeat(3000)}` })],
  ['quotes that never close', (random) => ({ q: `"${'" "'.repeat(2000)}${random.text(3)}` })],
  ['parentheses in parentheses', (random) => ({ filter: nested(2000 + random.below(50_000), CONDITION) })],
  ['parentheses that never close', (random) => ({ filter: '('.repeat(100_000 + random.below(9)) })],
  ['a chain of NOT', () => ({ filter: `${'NOT '.repeat(10_000)}${CONDITION}` })],
  ['a chain of OR', () => ({ filter: Array(20_000).fill(CONDITION).join(' OR ') })],
  ['a chain of AND', () => ({ filter: Array(20_000).fill(CONDITION).join(' AND ') })],
  ['arrays in arrays', () => ({ filter: JSON.parse(`${'['.repeat(500)}"${CONDITION}"${']'.repeat(500)}`) })],
  [
    'a huge list',
    (random) => ({ filter: `brand IN [${Array.from({ length: 50_000 }, () => random.text(6)).join()}]` }),
  ],
  ['a huge list of numbers', () => ({ filter: `price IN [${Array.from({ length: 50_000 }, (_, i) => i).join()}]` })],
  ['a text without end in a filter', (random) => ({ filter: `brand = "${random.text(500_000)}` })],
  ['names that are not there', (random) => ({ filter: `${random.text(60_000)} = 1` })],
  ['a polygon of many corners', () => ({ filter: `_geoPolygon(${Array(5000).fill('[1,1]').join()})` })],
  ['facets that are not there', (random) => ({ facets: Array.from({ length: 5000 }, () => random.text(8)) })],
  ['all facets', () => ({ facets: ['*'], q: 'b' })],
  [
    'attributes without end',
    (random) => ({ attributesToSearchOn: Array.from({ length: 5000 }, () => random.text(9)) }),
  ],
  ['patterns without end', () => ({ attributesToRetrieve: Array(5000).fill('*a*') })],
  ['a sort without end', () => ({ q: 'b', sort: Array(5000).fill('price:asc') })],
  ['the last page of all', () => ({ q: 'b', offset: 2 ** 53, limit: 2 ** 53 })],
  ['all pages at once', () => ({ q: 'b', hitsPerPage: 2 ** 31, page: 2 ** 31 })],
  [
    'crops without end',
    () => ({ q: 'b', attributesToCrop: Array(2000).fill('description:99999'), cropLength: 99_999 }),
  ],
  ['marks without end', (random) => ({ q: 'b', attributesToHighlight: ['*'], highlightPreTag: random.text(20_000) })],
]

/** `count` searches, every attack as often as the next. */
export function* hostileSearches(seed: number, count: number): Generator<HostileSearch> {
  const random = new Random(seed)
  for (let i = 0; i < count; i++) {
    const [name, make] = ATTACKS[i % ATTACKS.length]!
    yield { name, body: make(random) }
  }
}
