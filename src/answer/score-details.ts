import type { GeoPoint } from '../match/index.js'
import type { ScoreDetail } from '../rank/index.js'
import { combineRanks, rankOf } from '../rank/index.js'
import type { Settings } from '../settings/index.js'

type Detail<Rule extends ScoreDetail['rule']> = Extract<ScoreDetail, { rule: Rule }>

/** Prints `_rankingScoreDetails`. Prepared once for a search, used for every hit. */
export class ScoreDetailPrinter {
  /** The two halves of the rule `attribute` are one entry, unless the index names one of them. */
  private readonly joinsAttribute: boolean
  private readonly displayed: ReadonlySet<string> | '*'

  constructor({ rankingRules, displayedAttributes }: Pick<Settings, 'rankingRules' | 'displayedAttributes'>) {
    this.joinsAttribute = !rankingRules.includes('attributeRank') && !rankingRules.includes('wordPosition')
    this.displayed = displayedAttributes === '*' ? '*' : new Set(displayedAttributes)
  }

  /** An object with an entry for each rule that was applied, in their order (spec 6 §5.2). */
  print(details: readonly ScoreDetail[]): string {
    const entries = new Map<string, string>()
    let order = 0
    for (let i = 0; i < details.length; order++) {
      const { key, members, used } = this.entry(details, i, order)
      entries.set(JSON.stringify(key), `{"order":${order}${members}}`)
      i += used
    }
    return `{${[...entries].map(([key, entry]) => `${key}:${entry}`).join(',')}}`
  }

  private entry(details: readonly ScoreDetail[], at: number, order: number): Entry {
    const detail = details[at]!
    const next = details[at + 1]
    switch (detail.rule) {
      case 'words':
        return one('words', `,"matchingWords":${detail.matching},"maxMatchingWords":${detail.max}${scoreOf(detail)}`)
      case 'typo':
        return one('typo', `,"typoCount":${detail.count},"maxTypoCount":${detail.max}${scoreOf(detail)}`)
      case 'attributeRank':
        return this.joinsAttribute ? attributeEntry(detail, next) : one(detail.rule, scoreOf(detail))
      case 'proximity':
      case 'wordPosition':
        return one(detail.rule, scoreOf(detail))
      case 'exactAttribute':
        return exactnessEntry(detail, next)
      case 'exactWords':
        throw new Error('exact words come after the exact attribute')
      case 'sort':
        return this.sortEntry(detail, order)
      case 'geoSort':
        return geoEntry(detail)
      case 'vector':
        return one('vectorSort', `,"similarity":${detail.similarity}`)
      case 'skipped':
        return one('skipped', '')
      case 'pin':
        return one('pin', `,"position":${detail.position}`)
    }
  }

  private sortEntry({ attribute, direction, value }: Detail<'sort'>, order: number): Entry {
    const isShown = this.displayed === '*' || this.displayed.has(attribute)
    if (!isShown) return one(`<hidden-rule-${order}>`, ',"value":"<hidden>"')
    return one(`${attribute}:${direction}`, `,"value":${JSON.stringify(value)}`)
  }
}

interface Entry {
  readonly key: string
  /** After `order`, each with a comma before it. */
  readonly members: string
  /** How many details it stands for. */
  readonly used: 1 | 2
}

const one = (key: string, members: string): Entry => ({ key, members, used: 1 })

const scoreOf = (...details: readonly ScoreDetail[]): string => `,"score":${combineRanks(details.map(rankOf))}`

function attributeEntry(rank: ScoreDetail, next: ScoreDetail | undefined): Entry {
  const first = `,"attributeRankingOrderScore":${combineRanks([rankOf(rank)])}`
  if (next?.rule !== 'wordPosition') return one('attribute', first)
  const second = `,"queryWordDistanceScore":${combineRanks([rankOf(next)])}`
  return { key: 'attribute', members: `${first}${second}${scoreOf(rank, next)}`, used: 2 }
}

/** Which words are exact is told only where the whole attribute is not. */
function exactnessEntry(attribute: Detail<'exactAttribute'>, next: ScoreDetail | undefined): Entry {
  const type = `,"matchType":"${attribute.type}"`
  const words = next?.rule === 'exactWords' ? next : undefined
  const used = words ? 2 : 1
  if (words === undefined || attribute.type !== 'noExactMatch') {
    return { key: 'exactness', members: `${type}${scoreOf(attribute)}`, used }
  }
  const counts = `,"matchingWords":${words.matching},"maxMatchingWords":${words.max}`
  return { key: 'exactness', members: `${type}${counts}${scoreOf(attribute, words)}`, used }
}

function geoEntry({ origin, direction, point, distance }: Detail<'geoSort'>): Entry {
  const key = `_geoPoint(${plainDecimal(origin.lat)}, ${plainDecimal(origin.lng)}):${direction}`
  return one(key, `,"value":${pointJson(point)},"distance":${distance}`)
}

const pointJson = (point: GeoPoint | null): string =>
  point === null ? 'null' : `{"lat":${point.lat},"lng":${point.lng}}`

/** The shortest digits that read back, without an exponent. Coordinates are never large. */
function plainDecimal(value: number): string {
  const text = String(value)
  const [mantissa = '', exponent] = text.split('e-')
  if (exponent === undefined) return text
  const digits = mantissa.replace(/[-.]/g, '')
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(Number(exponent) - 1)}${digits}`
}
