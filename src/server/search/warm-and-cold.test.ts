/**
 * Whoever searches keeps what it found out until an index changes, in several ways: symbol tables (`StoredTables`), words
 * and vectors with their journals (`StoredWords`, `StoredVectors`), settings and analyzers (`SearchIndex`), rankings and
 * facets (`Known`), derivations (`derive`), columns, positions and folded values that outlive versions (`carry`), and on
 * the server thread whole answers (`RememberedAnswers`). All of them must give what somebody finds who has just opened
 * the index.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type Answered, readRequest } from '../../answer/index.js'
import { DerivedValues, VersionCache } from '../../cache/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { answerRequest, MeasuredPatience } from '../../federation/index.js'
import type { SearchIndex } from '../../match/index.js'
import type { QueryEmbedders } from '../../rank/index.js'
import { OpenIndexes } from '../../searching/index.js'
import { PLAIN_ORDER } from '../../searching/search-order.fixture.js'
import { systemClock } from '../../time/index.js'
import { RememberedAnswers } from '../answers/remembered-answers.js'
import { type Change, ChangingIndexes, MANY_DOCUMENTS } from './changing-indexes.fixture.js'
import { FIRST_SETTINGS, QUESTIONS, type Question, someSteps, UIDS } from './some-changes.arbitrary.js'

/** So few that a frequent word counts as long: its blocks are read again when they are wanted. */
const WORDS = { keptWordBytes: 1, keptMergedBytes: 1000 }

/** A model whose vectors depend on how it is to be asked. */
const MODEL: QueryEmbedders = {
  embed: async ({ embedders, name, q }) =>
    ok(Float32Array.of(JSON.stringify(embedders.get(name)).length, `${q}`.length, 1)),
}

/** A search thread. */
class Reader {
  readonly indexes = new OpenIndexes(undefined, WORDS)

  async ask(question: Question, folders: readonly [string, string][]): Promise<Result<Answered>> {
    const request = readRequest(question.kind, Buffer.from(JSON.stringify(question.body)))
    if (!request.ok) return request
    const paths = new Map(folders)
    const opened = new Map<string, SearchIndex>()
    const open = (uid: string): Result<SearchIndex> => {
      const path = paths.get(uid)
      if (path === undefined) return fail('index_not_found', uid)
      const index = opened.get(uid) ?? this.indexes.open(uid, path)
      opened.set(uid, index)
      return ok(index)
    }
    const nobody = () => Promise.reject(new Error('there are no others'))
    const remotes = { timeoutMs: 1, request: nobody, patience: new MeasuredPatience() }
    const own = { open, clock: systemClock, tenantFilter: () => null, embedders: MODEL }
    const isPart = question.isForShards === true
    const asked = { isProxied: isPart, isForShards: isPart, gates: { ...PLAIN_ORDER.gates, network: isPart } }
    const context = { ...PLAIN_ORDER, ...asked, errorsUrl: '', remotes, ...own }
    return answerRequest(request.value, question.uid, { ...context, wait: (work) => work })
  }
}

/** Without what differs between two answers to the same question. */
function shown(answer: Result<Answered> | Uint8Array): unknown {
  const body = answer instanceof Uint8Array ? answer : answer.ok ? answer.value.body : undefined
  if (body === undefined) return (answer as { failure: { code: string } }).failure.code
  if (!(body instanceof Uint8Array)) throw new Error('answers as small as these go through no file')
  return JSON.parse(Buffer.from(body).toString(), (key, value) =>
    key === 'processingTimeMs' || key === 'requestUid' ? undefined : value,
  )
}

/** What is remembered only as long as nobody needs its memory has to be read again; in one turn it always stays. */
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** The server: one search thread that stays, and what the server thread remembers. */
class WarmAndCold {
  private readonly warm = new Reader()
  private readonly remembered = new RememberedAnswers()
  private readonly features = {} as Parameters<RememberedAnswers['keep']>[1]['features']
  readonly changing = new ChangingIndexes(UIDS, (path) => this.warm.indexes.release(path))

  async close(): Promise<void> {
    await this.warm.indexes.closeAll()
    await this.changing.delete()
  }

  async expectSame(): Promise<void> {
    const cold = new Reader()
    await nextTurn()
    collectGarbage()
    const { folders } = this.changing
    for (const question of QUESTIONS) {
      const expected = shown(await cold.ask(question, folders))
      const kept = this.remembered.get(this.asRepeatable(question), (uid) => this.changing.stateOf(uid), this.features)
      if (kept !== undefined) expect(shown(kept), `remembered: ${JSON.stringify(question)}`).toEqual(expected)
      const answer = await this.warm.ask(question, folders)
      expect(shown(answer), JSON.stringify(question)).toEqual(expected)
      if (answer.ok)
        this.remembered.keep(this.asRepeatable(question), { folders, features: this.features }, answer.value)
    }
    await cold.indexes.closeAll()
  }

  private asRepeatable({ kind, uid, body }: Question) {
    return { uids: uid === '' ? [...UIDS] : [uid], text: JSON.stringify([kind, body]) }
  }

  async play(steps: readonly (readonly Change[])[]): Promise<void> {
    for (const changes of steps) {
      for (const change of changes) await this.changing.apply(change)
      await this.expectSame()
    }
  }
}

async function play(steps: readonly (readonly Change[])[]): Promise<void> {
  const server = new WarmAndCold()
  const ready = UIDS.map((uid): Change => ({ kind: 'settings', uid, patch: FIRST_SETTINGS }))
  try {
    await server.play([ready, ...steps])
  } finally {
    await server.close()
  }
}

const add = (documents: object[]): Change => ({ kind: 'add', uid: 'a', method: 'replace', documents })

const NO_VECTORS = { _vectors: { e: null } }

/** Documents with many words that begin with `x`, and from time to time one with no other word than that. */
const crowdFrom = (from: number, count: number, wordCount = 10): Change =>
  add(
    Array.from({ length: count }, (_, i) => {
      const words = Array.from({ length: wordCount }, (_, k) => `x${((from + i) * 13 + k * 31) % 400}`)
      return { id: from + i, title: i % 20 === 0 ? 'x' : words.join(' '), price: i % 50, ...NO_VECTORS }
    }),
  )

const prefixSearch = (value: string): Change => ({ kind: 'settings', uid: 'a', patch: { prefixSearch: value } })

test('an index that grows beyond the size at which it keeps prefixes loses no hits', async () => {
  await play([[crowdFrom(0, MANY_DOCUMENTS - 1)], [add([{ id: 5000, title: 'sun', ...NO_VECTORS }])]])
}, 120_000)

test('prefix search can be turned off and on again, with searches in between or without', async () => {
  const [off, on] = [prefixSearch('disabled'), prefixSearch('indexingTime')]
  // Blocks that grew in the middle were cut in two. Those that are written at once are full.
  const grown = Array.from({ length: 6 }, (_, i) => crowdFrom(i * 40, 40, 30))
  await play([[crowdFrom(0, 2 * MANY_DOCUMENTS), ...grown], [off, on], [off], [on]])
}, 120_000)

test('small changes reach what is kept of many positions and of the words with a prefix', async () => {
  const placed = (id: number, title: string, lat: number) => ({
    id,
    title,
    _geo: { lat, lng: (id % 180) - 90 },
    ...NO_VECTORS,
  })
  const many = Array.from({ length: 1100 }, (_, id) => placed(id, `x${id % 400}`, (id % 120) - 60))
  const small = [
    add([placed(3, 'x3 x', 11)]),
    { kind: 'deleteIds', uid: 'a', ids: ['0', '500'] } as const,
    add([placed(7000, 'xnew', 9), placed(1, 'sun', 8)]),
  ]
  await play([
    [add(many.slice(0, MANY_DOCUMENTS - 1))],
    ...small.map((change) => [change]),
    [add(many)],
    ...small.map((change) => [change]),
  ])
}, 120_000)

/** The names under which something is derived from an index, as the source says them. */
function rememberedNames(): string[] {
  const root = new URL('../../', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture|fake|arbitrary|twin)\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file.replaceAll('\\', '/'), root), 'utf8'))
  const derived = texts.filter((text) => /\.(derive|carry)\b/.test(text))
  return [
    ...derived.flatMap((text) => [...text.matchAll(/^const [A-Z_]+ = Symbol\('([^']+)'\)/gm)]),
    ...texts.flatMap((text) => [...text.matchAll(new RegExp(` = new ${VersionCache.name}<.*?>\\('([^']+)'`, 'g'))]),
  ].map(([, name]) => name!)
}

/** Settings with which nothing goes without saying. */
const ALL_KINDS = {
  searchableAttributes: ['title', 'body', 'meta.note'],
  typoTolerance: { disableOnAttributes: ['body'] },
  embedders: {
    e: { source: 'rest', url: 'http://localhost:1', request: '{{text}}', response: '{{embedding}}', dimensions: 3 },
  },
}

/** Of fewer the values of facets are not kept. */
const MANY = 3600

test('the questions come to everything that is remembered of an index', async () => {
  const spy = vi.spyOn(DerivedValues.prototype, 'derive')
  try {
    const document = (id: number, title: string) => ({
      id,
      title,
      price: title.length,
      color: `shade ${(id + title.length) % 40}`,
      _geo: { lat: (id % 120) - 60, lng: title.length },
      _vectors: { e: [id % 5, title.length % 4, 1] },
    })
    const many = Array.from({ length: MANY }, (_, id) => document(id, id % 3 === 0 ? 'sun flower' : `sun x${id % 400}`))
    const few = [0, 1, 3, 600, 2400, 9000].map((id) => document(id, 'sun'))
    await play([[{ kind: 'settings', uid: 'a', patch: ALL_KINDS }], [add(many)], [add(few)]])
    const reached = new Set(spy.mock.calls.map(([key]) => key.description!))
    expect(rememberedNames().filter((name) => !reached.has(name))).toEqual([])
  } finally {
    spy.mockRestore()
  }
}, 120_000)

/** How many sequences of changes are tried: WARM_RUNS=500 for a long check. The shortest that fails is not looked for. */
const runs = { numRuns: Number(process.env.WARM_RUNS ?? 4), endOnFailure: true }

test('after any changes a warm reader finds what a cold one finds', async () => {
  await fc.assert(fc.asyncProperty(someSteps, play), runs)
}, 3_600_000)
