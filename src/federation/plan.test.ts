import { expect, test } from 'vitest'
import type { SearchNetwork } from '../answer/index.js'
import { type Federation, readRequest } from '../answer/index.js'
import { type PlanContext, planQueries } from './plan.js'

const GATES = { containsFilter: false, foreignKeys: false, network: true, multimodal: false, legacySearch: false }
const remote = { url: 'http://a', searchApiKey: null }
const remotes = new Map([...'abc'].map((name) => [name, remote] as const))
const led: SearchNetwork = {
  version: 'v',
  self: 'b',
  everywhere: [],
  remotes,
  shards: new Map([
    ['s', ['b', 'a']],
    ['t', ['a', 'c']],
    ['u"', ['b']],
  ]),
  away: [],
}
const unled: SearchNetwork = { ...led, version: null, shards: null, everywhere: ['a', 'b', 'c'] }
const context: PlanContext = { network: led, gates: GATES, isProxied: false }

/** Which filters go where. */
function planned(queries: object[], more: Partial<PlanContext> = {}) {
  const bytes = Buffer.from(JSON.stringify({ queries, federation: {} }))
  const request = readRequest('multiSearch', bytes)
  if (!request.ok || request.value.kind !== 'multiSearch') throw new Error('not a multi-search')
  const { queries: read, federation } = request.value.search
  const plan = planQueries(read, federation as Federation, { ...context, ...more })
  const filtersOf = (lists: ReadonlyMap<string, readonly { readonly search: { readonly filter: unknown } }[]>) =>
    Object.fromEntries(Array.from(lists, ([name, list]) => [name, list.map(({ search }) => search.filter)]))
  const { spread, shards, usesNetwork } = plan
  return { local: filtersOf(plan.local), remote: filtersOf(plan.remote), spread: spread.length, shards, usesNetwork }
}

const OWN = '"_shard" IN ["s", "u\\""]'

test('under a leader queries are run here for the shards of this server, and others are asked for the rest', () => {
  expect(planned([{ indexUid: 'x' }, { indexUid: 'x', filter: 'a = 1', useNetwork: true }])).toEqual({
    local: { x: [OWN, ['a = 1', OWN]] },
    remote: {},
    spread: 2,
    shards: ['t'],
    usesNetwork: true,
  })
})

test('who owns nothing runs nothing', () => {
  const { local, shards } = planned([{ indexUid: 'x' }], { network: { ...led, self: 'd' } })
  expect([local, shards]).toEqual([{}, ['s', 't', 'u"']])
})

test('queries that stay here, or name a server, are for all documents of it', () => {
  const queries = [{ indexUid: 'x', useNetwork: false }]
  expect(planned(queries)).toEqual({ local: { x: [null] }, remote: {}, spread: 0, shards: [], usesNetwork: false })
  const named = planned([
    { indexUid: 'x', federationOptions: { remote: 'a' } },
    { indexUid: 'x', federationOptions: { remote: 'b' } },
  ])
  expect(named).toEqual({ local: { x: [null] }, remote: { a: [null] }, spread: 0, shards: [], usesNetwork: true })
})

test('the questions of another server stay here', () => {
  expect(planned([{ indexUid: 'x' }], { isProxied: true })).toMatchObject({ local: { x: [null] }, usesNetwork: false })
})

test('without a leader a query is for the network only when it says so', () => {
  const network = unled
  expect(planned([{ indexUid: 'x' }], { network })).toMatchObject({ local: { x: [null] }, usesNetwork: false })
  expect(planned([{ indexUid: 'x', useNetwork: true }], { network })).toEqual({
    local: { x: [null] },
    remote: { a: [null], c: [null] },
    spread: 0,
    shards: [],
    usesNetwork: true,
  })
})
