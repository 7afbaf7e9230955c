import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { SearchIndex } from '../../match/index.js'
import { payloadOf, TestIndex } from '../../match/test-index.fixture.js'
import { settingNames } from '../../settings/index.js'
import { requestOf } from '../examples/example-checks.fixture.js'
import type { RankedDocument } from '../model.js'
import { type PlainRequest, someDocuments, someRequest, someSettings } from '../rank.arbitrary.js'
import { rank } from '../rank.js'
import type { PlainDocument } from '../twin/index.twin.js'
import { agree } from './agree.js'
import type { CollectionKnowledge } from './knowledge.js'

const RESET = JSON.stringify(Object.fromEntries(settingNames.map((name) => [name, null])))

/** Some of the documents of a collection, in an index of their own. */
class Part {
  private readonly stored = new TestIndex()
  readonly index = new SearchIndex('shop', this.stored.folder)
  /** By docId the number of a document in the collection. */
  private numbers: readonly number[] = []
  /** Of those that it is asked for. */
  private asked: ReadonlySet<number> = new Set()

  /** Copies are documents that another part is asked for. */
  async fill(
    documents: readonly PlainDocument[],
    settings: Readonly<Record<string, unknown>>,
    isCopy: (number: number) => boolean = () => false,
  ): Promise<void> {
    this.stored.run({ kind: 'clear', patches: [RESET, JSON.stringify(settings)] })
    const payload = await payloadOf(documents)
    const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
    const [outcome] = this.stored.run({ kind: 'documents', operations: [operation] })
    expect(outcome).toMatchObject({ ok: true })
    this.numbers = documents.map(({ id }) => id as number)
    this.asked = new Set(this.numbers.filter((number) => !isCopy(number)))
    this.index.refresh()
  }

  /** Without knowledge as an index that has all documents. */
  rank({ filter, ...plain }: PlainRequest, knowledge?: CollectionKnowledge | null) {
    const passing = (isPassing: (number: number) => boolean) =>
      Bitmap.fromSorted(this.numbers.flatMap((number, docId) => (isPassing(number) ? [docId] : [])))
    const isAsked = (number: number) => this.asked.has(number) && (filter?.includes(number) ?? true)
    const isWhole = this.asked.size === this.numbers.length
    const documents = isWhole ? null : passing((number) => this.asked.has(number))
    const part = knowledge === undefined ? undefined : { knowledge, documents: () => documents }
    const request = requestOf({ ...plain, filter: isWhole && filter === null ? null : passing(isAsked), part })
    const { documents: ranked, candidates, findings } = rank(this.index, request)
    return {
      documents: ranked.map((each) => this.numbered(each)),
      candidates: [...candidates()].map((docId) => this.numbers[docId]!),
      findings,
    }
  }

  private numbered({ docId, details }: RankedDocument) {
    return { number: this.numbers[docId]!, details }
  }

  delete(): Promise<void> {
    return this.stored.delete()
  }
}

const whole = new Part()
const parts = Array.from({ length: 4 }, () => new Part())
afterAll(() => Promise.all([whole, ...parts].map((part) => part.delete())))

const MAX_ROUNDS = 10

/** Asks all parts until they agree. What they tell each other is plain data. */
function rankParts(asked: readonly Part[], request: PlainRequest) {
  let knowledge: CollectionKnowledge | null = null
  for (let round = 1; ; round++) {
    const found = asked.map((part) => part.rank(request, knowledge))
    const findings = found.flatMap((each) => (each.findings === undefined ? [] : [structuredClone(each.findings)]))
    const next = agree(findings, knowledge)
    if (next === undefined) return { found, round }
    expect(round).toBeLessThan(MAX_ROUNDS)
    knowledge = structuredClone(next)
  }
}

const numRuns = Number(process.env.RANK_RUNS ?? 40)

/** What depends on the documents that come out first is none of the ranking of parts. */
const request = someRequest.map((plain) => ({ ...plain, distinct: null, deadline: Number.POSITIVE_INFINITY }))

test.each([
  ['', 1],
  [', be there copies of others beside them', 2],
])(
  'parts of a collection rank their documents as one index with all of them does%s',
  async (_, owners) => {
    const places = fc.array(fc.nat(3), { minLength: 14, maxLength: 14 })
    const requests = fc.array(request, { minLength: 1, maxLength: 4 })
    const rounds: number[] = []
    await fc.assert(
      fc.asyncProperty(someDocuments, someSettings, places, requests, async (documents, settings, place, asked) => {
        await whole.fill(documents, settings)
        const filled = parts.filter((_, at) => place.some((each, id) => each === at && id < documents.length))
        const isIn = (id: number, at: number) => (at - place[id]! + parts.length) % parts.length < owners
        for (const part of filled) {
          const at = parts.indexOf(part)
          await part.fill(
            documents.filter((_, id) => isIn(id, at)),
            settings,
            (id) => place[id] !== at,
          )
        }
        for (const each of asked) {
          const { documents: expected, candidates } = whole.rank(each)
          const { found, round } = rankParts(filled, each)
          rounds[round] = (rounds[round] ?? 0) + 1
          const byNumber = new Map(found.flatMap((part) => part.documents).map((one) => [one.number, one.details]))
          const isListed = new Set(expected.map(({ number }) => number))
          expect(expected.map(({ number }) => ({ number, details: byNumber.get(number) }))).toEqual(expected)
          for (const part of found) {
            const order = part.documents.filter(({ number }) => isListed.has(number)).map(({ number }) => number)
            const inPart = new Set(order)
            expect(order).toEqual(expected.map(({ number }) => number).filter((number) => inPart.has(number)))
          }
          if (each.threshold === null || each.isExhaustive) {
            expect(found.flatMap((part) => part.candidates).sort((a, b) => a - b)).toEqual(candidates)
          }
        }
      }),
      { numRuns },
    )
    // Most are right at once, and hardly any takes more than two rounds.
    expect(rounds[1]! / rounds.reduce((sum, times) => sum + times, 0)).toBeGreaterThan(0.5)
  },
  3_600_000,
)

test('a query is read in the languages of the fields of all parts', async () => {
  const settings = { localizedAttributes: [{ attributePatterns: ['*_ja'], locales: ['jpn'] }] }
  const [one, other] = parts as [Part, Part]
  // Without a language it is taken for Chinese, and cut otherwise.
  const japanese = { id: 0, text_ja: '東京都庁の人工知能' }
  const unknown = { id: 1, text: '東京都庁 人工知能' }
  await whole.fill([japanese, unknown], settings)
  await one.fill([japanese], settings)
  await other.fill([unknown], settings)
  for (const q of ['東京都庁', '人工知能', '京都']) {
    const { found, round } = rankParts([one, other], { q, filter: null })
    const ranked = found.flatMap(({ documents }) => documents)
    expect(ranked.map(({ number, details }) => ({ number, details }))).toEqual(
      whole.rank({ q, filter: null }).documents,
    )
    expect(round).toBe(2)
  }
})
