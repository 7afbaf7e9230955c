import { seededRandom } from '../test/random.js'

/** The goods of a shop that does not exist: the same for the same seed, as many as one likes. */
export interface Article {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly brand: string
  readonly categories: readonly string[]
  readonly price: number
  readonly rating: number
  readonly inStock: boolean
}

export const ARTICLE_SETTINGS = {
  searchableAttributes: ['title', 'brand', 'categories', 'description'],
  filterableAttributes: ['brand', 'categories', 'price', 'rating', 'inStock'],
  sortableAttributes: ['price', 'rating'],
}

const VOCABULARY = 120_000
const BRANDS = 4_000
const CATEGORIES = 300

/** Makes articles, and queries for them, from one seed. */
export class Shop {
  private readonly random: () => number
  private readonly words: readonly string[]
  private readonly wordShares = zipf(VOCABULARY, 1)
  private readonly brandShares = zipf(BRANDS, 0.8)
  private readonly categoryShares = zipf(CATEGORIES, 0.9)

  constructor(seed = 1) {
    this.random = seededRandom(seed)
    this.words = Array.from({ length: VOCABULARY }, (_, i) => madeWord(i))
  }

  article(id: number): Article {
    return {
      id,
      title: this.text(3, 8),
      description: this.text(15, 45),
      brand: this.brand(),
      categories: Array.from({ length: 1 + this.below(3) }, () => this.category()),
      price: Math.round(this.random() ** 3 * 100_000) / 100,
      rating: Math.round(this.random() * 50) / 10,
      inStock: this.random() < 0.8,
    }
  }

  /** What most collections of many millions are made of. */
  smallArticle(id: number): Pick<Article, 'id' | 'title' | 'brand' | 'price'> {
    return { id, title: this.text(3, 8), brand: this.brand(), price: Math.round(this.random() ** 3 * 100_000) / 100 }
  }

  word(): string {
    return this.words[draw(this.wordShares, this.random())]!
  }

  /** A word that is neither among the most frequent nor among the rare ones, as people type them. */
  typicalWord(): string {
    return this.words[50 + this.below(20_000)]!
  }

  brand(): string {
    return `${this.words[draw(this.brandShares, this.random()) * 7 + 3]} ${this.words[draw(this.brandShares, this.random())]}`
  }

  category(): string {
    return this.words[1000 + draw(this.categoryShares, this.random())]!
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  private text(from: number, to: number): string {
    return Array.from({ length: from + this.below(to - from + 1) }, () => this.word()).join(' ')
  }
}

/** Cumulative shares of ranks: the n-th is met in proportion to 1 / n ** exponent. */
function zipf(count: number, exponent: number): Float64Array {
  const shares = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1) ** exponent
    shares[rank] = sum
  }
  return shares.map((share) => share / sum)
}

function draw(shares: Float64Array, at: number): number {
  let low = 0
  let high = shares.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (shares[middle]! < at) low = middle + 1
    else high = middle
  }
  return low
}

const SYLLABLES = 'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu'.split(' ')
const ENDINGS = ['', 'n', 's', 'r', 'l', 'th', 'ng', 'x']

/** Words of two syllables and more, all different. */
function madeWord(number: number): string {
  const { length } = SYLLABLES
  let rest = Math.floor(number / ENDINGS.length)
  let word = SYLLABLES[rest % length]!
  rest = Math.floor(rest / length)
  do {
    word += SYLLABLES[rest % length]!
    rest = Math.floor(rest / length)
  } while (rest > 0)
  return word + ENDINGS[number % ENDINGS.length]!
}
