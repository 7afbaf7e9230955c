import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Mangle, ManglingProxy } from './hostile/mangling-proxy.js'
import { type Answer, TestServer } from './server.js'

const KEY = 'a-master-key-of-some-length'
let one: TestServer
let two: TestServer
let proxy: ManglingProxy

beforeAll(async () => {
  const options = { masterKey: KEY, flags: ['--experimental-allowed-ip-networks', 'any'] }
  ;[one, two] = await Promise.all([TestServer.start(options), TestServer.start(options)])
  proxy = await ManglingProxy.start(two.port)
  for (const server of [one, two]) await server.request('PATCH', '/experimental-features', { network: true })
  const keys = { searchApiKey: KEY, writeApiKey: KEY }
  const remotes = { one: { url: one.url, ...keys }, two: { url: proxy.url, ...keys } }
  const shards = { s1: { remotes: ['one'] }, s2: { remotes: ['two'] } }
  await done('PATCH', '/network', { self: 'one', leader: 'one', remotes, shards })
  await done('PATCH', '/indexes/shop/settings', { filterableAttributes: ['color', 'tags'], sortableAttributes: ['n'] })
  const words = ['sun', 'flower', 'sunflower', 'snow', 'board', 'snowboard', 'flow', 'lower']
  const documents = Array.from({ length: 200 }, (_, id) => ({
    id,
    text: `${words[id % 8]} ${words[(id * 3) % 7]} ${words[(id * 5) % 6]}`,
    color: `color ${id % 9}`,
    tags: [id % 5, `t${id % 7}`],
    n: id % 13,
  }))
  await done('POST', '/indexes/shop/documents', documents)
}, 60_000)

afterAll(async () => {
  proxy.close()
  await Promise.all([one.close(), two.close()])
})

beforeEach(() => {
  proxy.mangle = (answer) => [answer]
})

async function done(method: string, path: string, body: object): Promise<void> {
  const { body: task } = await one.request<{ taskUid: number }>(method, path, body)
  for (;;) {
    const { body: seen } = await one.request<{ status: string; network?: Remote }>('GET', `/tasks/${task.taskUid}`)
    const there = seen.network?.remote_tasks.two?.taskUid
    if (seen.status === 'succeeded' && there !== undefined) return void (await two.waitTask(there))
  }
}

interface Remote {
  readonly remote_tasks: Readonly<Record<string, { readonly taskUid?: number }>>
}

interface Found {
  readonly hits: readonly object[]
  readonly remoteErrors?: Readonly<Record<string, { readonly code: string }>>
}

const SEARCHES = [
  { q: 'sun flower', matchingStrategy: 'frequency', facets: ['color', 'tags'], showRankingScoreDetails: true },
  { q: 'snowboard sun', page: 1, hitsPerPage: 4, distinct: 'tags', facets: ['tags'] },
  { q: 'flow', limit: 3, distinct: 'color', sort: ['n:asc'] },
]

/** Searches, and says how long others waited for `/health` meanwhile, each in turn. */
async function search(body: object): Promise<{ found: Answer<Found>; healthMs: readonly number[] }> {
  let isOver = false
  const healthMs: number[] = []
  const watch = (async () => {
    while (!isOver) {
      const start = performance.now()
      await one.request('GET', '/health')
      healthMs.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  // A server that failed would be left alone for a while.
  const available = { type: 'statusChangeForRemote', remote: 'two', status: 'available' }
  const origin = { remoteName: 'two', taskUid: 0 }
  const { status } = await one.request('POST', '/network/control', { origin, message: available })
  expect(status).toBe(200)
  const found = await one.request<Found>('POST', '/indexes/shop/search', body)
  isOver = true
  await watch
  return { found, healthMs }
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const NONSENSE: readonly Json[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  '',
  'nonsense',
  '\u0000',
  [],
  [null],
  [[[]]],
  {},
  { nonsense: 1 },
  ['a', 'a', 'b'],
  [{ at: 1, count: 1e300 }],
]

/** The answer with each of its members replaced, one at a time; of lists the first two entries. */
function* variants(value: Json, nonsense: Json): Generator<Json> {
  yield nonsense
  if (Array.isArray(value)) {
    for (const [i, entry] of value.slice(0, 2).entries())
      for (const each of variants(entry, nonsense)) yield value.with(i, each)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      for (const each of variants(entry, nonsense)) yield { ...value, [name]: each }
    }
  }
}

test.each(SEARCHES)(
  'an answer with nonsense in any member is an error of that server, or counts: %j',
  async (body) => {
    await search(body)
    const honest = JSON.parse(proxy.last) as Json
    const problems: string[] = []
    const codes = new Set<string | undefined>()
    for (const [i, nonsense] of NONSENSE.entries()) {
      let place = 0
      for (const answer of variants(honest, nonsense)) {
        // Each member with some of the values: all of them with all take minutes.
        if (place++ % NONSENSE.length !== i) continue
        proxy.mangle = () => [JSON.stringify(answer)]
        const { found } = await search(body)
        codes.add(found.body?.remoteErrors?.two?.code)
        const isAnswer = found.status === 200 && Array.isArray(found.body?.hits)
        if (!isAnswer)
          problems.push(`${found.status} ${found.text.slice(0, 200)} for ${JSON.stringify(answer).slice(0, 3000)}`)
      }
    }
    expect(problems).toEqual([])
    expect([...codes].sort()).toEqual(['remote_bad_response', undefined])
  },
  600_000,
)

const MB = 2 ** 20

/** A text of so many bytes between two others, in pieces. */
function* long(before: string, piece: string, after: string, bytes: number): Generator<string> {
  yield before
  const large = piece.repeat(Math.ceil(MB / piece.length))
  for (let sent = 0; sent < bytes; sent += large.length) yield large
  yield after
}

type Members = Record<string, Json>

/** The answer with other findings. */
const findings = (answer: string, change: (told: Members) => Members): string => {
  const honest = JSON.parse(answer) as Members
  const told = honest.collectionFindings as Record<string, Members>
  return JSON.stringify({ ...honest, collectionFindings: { ...told, 0: change(told[0]!) } })
}

const many = (count: number, text: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => text(i))

const ATTACKS: Record<string, Mangle> = {
  'more than is read': (answer) => long('{"hits":[],"x":"', 'x', `",${answer.slice(1)}`, 140 * MB),
  'a long text': (answer) => long('{"x":"', 'x', `",${answer.slice(1)}`, 120 * MB),
  'many hits': () => long('{"hits":[', '{},', '{}],"estimatedTotalHits":1,"processingTimeMs":1}', 120 * MB),
  'many numbers': (answer) => long('{"x":[', '1,', `1],${answer.slice(1)}`, 120 * MB),
  'deep lists': () => long('{"hits":', '[', '', 8 * MB),
  'no JSON': () => long('', '<html>', '', MB),
  nothing: () => [],
  'near words without end': (answer) => [
    findings(answer, (told) => ({
      ...told,
      terms: (told.terms as Members[]).map((term) => ({
        ...term,
        oneTypo: many(100_000, (i) => `word${i}`),
        twoTypos: many(100_000, (i) => `wort${i}`),
        completions: many(100_000, (i) => `${String(term.key).slice(2)}${i}`),
      })),
    })),
  ],
  'ways through the query without end': (answer) => [
    findings(answer, (told) => ({
      ...told,
      paths: Object.fromEntries(
        Object.keys(told.paths as object).map((costs) => [costs, many(200_000, (i) => `${i % 9}.${i % 8} ${i % 7}.1`)]),
      ),
    })),
  ],
  'buckets without end': (answer) => [
    findings(answer, (told) => ({
      ...told,
      paths: Object.fromEntries(many(200_000, (i) => `${i}`).map((costs) => [costs, ['0.1 1.1']])),
    })),
  ],
  'splits that nobody has': (answer) => [
    findings(answer, (told) => ({
      ...told,
      terms: (told.terms as Members[]).map((term) => ({ ...term, split: ['', 'x'], splits: [] })),
    })),
  ],
  'terms of another query': (answer) => [
    findings(answer, (told) => ({
      ...told,
      terms: many(50_000, String).map((key) => ({ ...(told.terms as Members[])[0]!, key })),
      frequencies: many(50_000, () => '').map(() => 1),
    })),
  ],
  'tied documents without end': (answer) => [
    JSON.stringify({ ...JSON.parse(answer), tiedDocuments: Array.from({ length: 500_000 }, (_, i) => [i, [`v${i}`]]) }),
  ],
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!

/** Those that take seconds for being read are sent once. */
const LARGE = new Set(['more than is read', 'a long text', 'many hits', 'many numbers'])

test.each(Object.keys(ATTACKS))(
  '%s of another server is survived',
  async (name) => {
    for (const body of LARGE.has(name) ? SEARCHES.slice(0, 1) : SEARCHES) {
      proxy.mangle = ATTACKS[name]!
      const { found, healthMs } = await search(body)
      expect([found.status, Array.isArray(found.body.hits)]).toEqual([200, true])
      // The longest of them may have waited for a processor.
      expect(median(healthMs)).toBeLessThan(100)
    }
  },
  120_000,
)
