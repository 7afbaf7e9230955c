import fc from 'fast-check'
import { SignJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.cases.js'
import { RememberedAnswers } from './remembered-answers.js'

const MASTER_KEY = 'a master key of more than sixteen bytes'
const SETTINGS = { filterableAttributes: ['kind'], sortableAttributes: ['id'] }
const LAMPS = [
  { id: 1, title: 'Red lamp', kind: 'light' },
  { id: 2, title: 'Blue lamp', kind: 'light' },
  { id: 3, title: 'Garden chair', kind: 'outdoor' },
]

/** Counts the searches that were run. */
async function open(rememberedAnswers = new RememberedAnswers()) {
  const server = await startIndexServer({ masterKey: MASTER_KEY, context: { rememberedAnswers } })
  for (const uid of ['a', 'b']) await server.done('PATCH', `/indexes/${uid}/settings`, { body: SETTINGS })
  await server.add('a', LAMPS)
  await server.add('b', LAMPS.slice(1))
  return { server, runs: vi.spyOn(server.context.searching, 'run') }
}

const post = (body: object, index = 'a') => ['POST', `/indexes/${index}/search`, { body }] as const

/** Without what differs from one answer to the next. */
async function ask(server: IndexServer, ...[method, path, sent]: Parameters<IndexServer['send']>) {
  const { status, json } = await server.send(method, path, sent)
  const { requestUid, processingTimeMs, ...rest } = json
  return { status, requestUid, rest }
}

test('a search that is asked again is not run again, and has a uid of its own', async () => {
  const { server, runs } = await open()
  const [first, second] = [await ask(server, ...post({ q: 'lamp' })), await ask(server, ...post({ q: 'lamp' }))]
  expect(runs).toHaveBeenCalledTimes(1)
  expect(second.rest).toEqual(first.rest)
  expect(second.requestUid).not.toBe(first.requestUid)
  const byParameters = ['GET', '/indexes/a/search?q=lamp'] as const
  expect((await ask(server, ...byParameters)).rest).toEqual((await ask(server, ...byParameters)).rest)
  expect(runs).toHaveBeenCalledTimes(2)
})

describe('a search is run again', () => {
  test('when the index has changed, or its name belongs to another one', async () => {
    const { server, runs } = await open()
    const total = async (index = 'a') => (await ask(server, ...post({ q: 'lamp' }, index))).rest.estimatedTotalHits
    expect([await total(), await total('b')]).toEqual([2, 1])
    await server.add('a', [{ id: 4, title: 'Table lamp' }])
    expect(await total()).toBe(3)
    await server.done('PATCH', '/indexes/a/settings', { body: { stopWords: ['lamp'] } })
    expect(await total()).toBe(0)
    await server.done('POST', '/swap-indexes', { body: [{ indexes: ['a', 'b'] }] })
    expect([await total(), await total('b')]).toEqual([1, 0])
    await server.done('DELETE', '/indexes/b')
    expect((await ask(server, ...post({ q: 'lamp' }, 'b'))).status).toBe(404)
    await server.add('b', LAMPS)
    expect(await total('b')).toBe(2)
    expect(runs).toHaveBeenCalledTimes(8)
  })

  test('when other features are on', async () => {
    const { server } = await open()
    const contains = () => ask(server, ...post({ filter: 'kind CONTAINS out' }))
    const switchTo = (containsFilter: boolean) =>
      server.send('PATCH', '/experimental-features', { body: { containsFilter } })
    await switchTo(true)
    expect([(await contains()).status, (await contains()).status]).toEqual([200, 200])
    await switchTo(false)
    expect((await contains()).status).toBe(400)
  })

  test('when a rule may say something else', async () => {
    const { server } = await open()
    const first = async () => (await ask(server, ...post({ q: 'lamp' }))).rest.hits[0].id
    await server.send('PATCH', '/experimental-features', { body: { dynamicSearchRules: true } })
    expect([await first(), await first()]).toEqual([1, 1])
    const action = { selector: { indexUid: 'a', id: '3' }, action: { type: 'pin', position: 0 } }
    const rule = await server.send('PATCH', '/dynamic-search-rules/one', { body: { actions: [action], active: true } })
    expect([rule.status, await first()]).toEqual([201, 3])
  })

  test('for somebody who sees other documents', async () => {
    const { server } = await open()
    const { json } = await server.send('GET', '/keys')
    const { uid, key } = json.results.find(({ name }: { name: string }) => name.includes('Search'))
    const tokenFor = (filter: string) =>
      new SignJWT({ apiKeyUid: uid, searchRules: { a: { filter } } })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(key))
    const seen: unknown[] = []
    const keys = [MASTER_KEY, await tokenFor('kind = outdoor'), await tokenFor('kind = light'), key]
    for (const each of [...keys, ...keys]) {
      const { rest } = await ask(server, 'POST', '/indexes/a/search', { body: {}, key: each })
      seen.push(rest.estimatedTotalHits)
    }
    expect(seen).toEqual([3, 1, 2, 3, 3, 1, 2, 3])
  })

  test('when its answer tells of the search itself', async () => {
    const { server, runs } = await open()
    const details = post({ q: 'lamp', showPerformanceDetails: true })
    for (let i = 0; i < 2; i++) expect((await ask(server, ...details)).rest).toHaveProperty('performanceDetails')
    const headers = { 'Meili-Include-Metadata': 'true' }
    const [method, path, sent] = post({ q: 'lamp' })
    const uids = []
    for (let i = 0; i < 2; i++) {
      expect((await ask(server, method, path, sent)).rest).not.toHaveProperty('metadata')
      uids.push((await ask(server, method, path, { ...sent, headers })).rest.metadata.queryUid)
    }
    expect(uids[0]).not.toBe(uids[1])
    expect(runs).toHaveBeenCalledTimes(5)
  })
})

test('a server that remembers answers as one that does not', async () => {
  const [remembering, forgetful] = [await open(), await open(new RememberedAnswers(0))]
  const servers = [remembering.server, forgetful.server]
  const uid = fc.constantFrom('a', 'b')
  const query = fc.record({
    q: fc.constantFrom('lamp', 'la', 'garden', ''),
    limit: fc.constantFrom(1, 20),
    sort: fc.constantFrom([], ['id:desc']),
  })
  const search = fc.tuple(query, uid).map(([body, index]) => post(body, index))
  const document = fc.record({ id: fc.nat(5), title: fc.constantFrom('lamp', 'garden lamp', 'lane') })
  const change = fc.oneof(
    fc.tuple(document, uid).map(([body, index]) => ['POST', `/indexes/${index}/documents`, { body: [body] }] as const),
    fc.constant(['POST', '/swap-indexes', { body: [{ indexes: ['a', 'b'] }] }] as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ arbitrary: search, weight: 5 }, change), { maxLength: 30 }), async (steps) => {
      for (const [method, path, sent] of steps) {
        if (path.endsWith('/search')) {
          const [one, other] = await Promise.all(servers.map((server) => ask(server, method, path, sent)))
          expect(one!.rest).toEqual(other!.rest)
        } else for (const server of servers) await server.done(method, path, sent)
      }
    }),
    { numRuns: 15 },
  )
  expect(remembering.runs.mock.calls.length).toBeLessThan(forgetful.runs.mock.calls.length)
})

test('no more is kept than there is room for, and nothing that is large', () => {
  const features = {} as Parameters<RememberedAnswers['get']>[2]
  const countKept = (answers: RememberedAnswers, bytes: number) => {
    const questions = Array.from({ length: 50 }, (_, i) => ({ uid: 'a', text: `q${i}` }))
    for (const question of questions) {
      const repetition = { version: 1, timeAt: 0, timeEnd: 1, uidAt: 1 }
      const answered = { body: new Uint8Array(bytes), degraded: 0, personalized: 0, failedRemotes: [], repetition }
      answers.keep(question, { path: '/a', features }, answered)
    }
    return questions.filter((each) => answers.get(each, { path: '/a', version: 1 }, features) !== undefined).length
  }
  expect(countKept(new RememberedAnswers(10_000), 1000)).toBe(7)
  expect(countKept(new RememberedAnswers(), 60_000)).toBe(50)
  expect(countKept(new RememberedAnswers(), 70_000)).toBe(0)
})
