import { seededRandom } from '../test/random.js'
import type { SearchSet } from './workload.js'

/** One of `examples/films.json.gz`. */
export interface Film {
  readonly title: string
  readonly year: number
  readonly genres: readonly string[]
  readonly cast: readonly string[]
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

interface SearchesOptions {
  readonly seed?: number
  readonly perKind?: number
}

/**
 * Searches that people could ask for some films: words of titles and names of people, whole or not, with typos, filters
 * and so on. The same ones for the same films and seed.
 */
export function makeSearches(films: readonly Film[], { seed = 1, perKind = 8 }: SearchesOptions = {}): SearchSet {
  const draw = new Draw(films, seed)
  return {
    index: 'movies',
    primaryKey: 'id',
    settings: { filterableAttributes: ['year', 'genres', 'cast'], sortableAttributes: ['year', 'title'] },
    searches: Object.entries(KINDS).flatMap(([kind, make]) =>
      Array.from({ length: perKind }, () => ({
        kind,
        body: { attributesToRetrieve: ['id'], showRankingScore: true, ...make(draw) },
      })),
    ),
  }
}

const KINDS: Record<string, (draw: Draw) => object> = {
  word: (draw) => ({ q: draw.word() }),
  prefix: (draw) => ({ q: draw.cut(draw.word()) }),
  'typo-1': (draw) => ({ q: draw.mistype(draw.word(5)) }),
  'typo-2': (draw) => ({ q: draw.mistype(draw.mistype(draw.word(9))) }),
  'two-words': (draw) => ({ q: draw.words(2).join(' ') }),
  'three-words': (draw) => ({ q: draw.words(3).join(' ') }),
  'many-words': (draw) => ({ q: [...draw.words(3), ...draw.words(3)].join(' ') }),
  mixed: (draw) => ({ q: `${draw.word()} ${draw.person()}` }),
  reversed: (draw) => ({ q: draw.words(2).reverse().join(' ') }),
  'words-typos': (draw) => ({ q: `${draw.word()} ${draw.mistype(draw.word(5))}` }),
  'as-you-type': (draw) => ({ q: `${draw.word()} ${draw.cut(draw.word())}` }),
  joined: (draw) => ({ q: draw.words(2).join('') }),
  split: (draw) => ({ q: draw.split(draw.word(6)) }),
  phrase: (draw) => ({ q: `"${draw.words(2).join(' ')}"` }),
  'phrase-and-word': (draw) => ({ q: `"${draw.person()}" ${draw.word()}` }),
  negative: (draw) => ({ q: `${draw.word()} -${draw.word()}` }),
  'negative-phrase': (draw) => ({ q: `${draw.word()} -"${draw.person()}"` }),
  all: (draw) => ({ q: draw.words(3).join(' '), matchingStrategy: 'all' }),
  frequency: (draw) => ({ q: draw.words(3).join(' '), matchingStrategy: 'frequency' }),
  page: (draw) => ({ q: draw.words(2).join(' '), offset: draw.below(30), limit: 10 }),
  'finite-page': (draw) => ({ q: draw.words(2).join(' '), page: 2, hitsPerPage: 10 }),
  'on-attribute': (draw) => ({ q: draw.words(2).join(' '), attributesToSearchOn: ['title'] }),
  filter: (draw) => ({ q: draw.word(), filter: draw.filter() }),
  'filter-words': (draw) => ({ q: draw.words(2).join(' '), filter: `${draw.filter()} OR NOT (${draw.filter()})` }),
  sort: (draw) => ({ q: draw.one(['', draw.word()]), sort: [draw.order()] }),
  'sort-two': (draw) => ({ q: draw.one(['', draw.word()]), sort: [draw.order(), draw.order()] }),
  facets: (draw) => ({ q: draw.one(['', draw.word()]), facets: [draw.one(['genres', 'year'])], filter: draw.filter() }),
  distinct: (draw) => ({ q: draw.one(['', draw.word()]), distinct: draw.one(['genres', 'cast', 'year']) }),
  threshold: (draw) => ({ q: draw.words(3).join(' '), rankingScoreThreshold: 0.5 }),
  placeholder: (draw) => ({ q: '', offset: draw.below(60), limit: 20 }),
  formatted: (draw) => ({
    q: draw.words(2).join(' '),
    limit: 5,
    attributesToHighlight: ['*'],
    attributesToCrop: ['title', 'cast'],
    cropLength: 5 + draw.below(10),
  }),
}

/** Chooses from the films, by a seed. */
class Draw {
  private readonly random: () => number

  constructor(
    private readonly films: readonly Film[],
    seed: number,
  ) {
    this.random = seededRandom(seed)
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** So many words that stand side by side in a title, or in the name of somebody who plays. */
  words(count: number): string[] {
    const film = this.one(this.films)
    const words = wordsOf(this.one([film.title, ...film.cast]))
    if (words.length < count) return this.words(count)
    const from = this.below(words.length - count + 1)
    return words.slice(from, from + count)
  }

  word(minLength = 1): string {
    const word = this.words(1)[0]!
    return word.length < minLength ? this.word(minLength) : word
  }

  person(): string {
    const { cast } = this.one(this.films)
    return cast.length === 0 ? this.person() : wordsOf(this.one(cast)).join(' ')
  }

  /** A prefix. */
  cut(word: string): string {
    return word.slice(0, 1 + this.below(word.length))
  }

  split(word: string): string {
    const at = 2 + this.below(word.length - 3)
    return `${word.slice(0, at)} ${word.slice(at)}`
  }

  /** A letter too few, too many or wrong, or two in the wrong order; never the first one. */
  mistype(word: string): string {
    const at = 1 + this.below(word.length - 2)
    const [before, letter, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
    const other = this.one([...LETTERS])
    return this.one([
      before + next + after,
      before + other + letter + next + after,
      before + other + next + after,
      before + next + letter + after,
    ])
  }

  filter(): string {
    const { year, genres, cast } = this.one(this.films)
    return this.one([
      `year = ${year}`,
      `year > ${year}`,
      `year ${year - 10} TO ${year}`,
      'cast IS NOT EMPTY',
      `genres = "${genres[0] ?? 'Drama'}"`,
      `genres NOT IN ["${genres[0] ?? 'Drama'}", "Silent"]`,
      `cast = ${JSON.stringify(cast[0] ?? 'Cary Grant')} OR year < ${year}`,
    ])
  }

  order(): string {
    return `${this.one(['year', 'title'])}:${this.one(['asc', 'desc'])}`
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}
