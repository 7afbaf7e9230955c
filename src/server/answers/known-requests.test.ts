import { expect, test } from 'vitest'
import { KnownRequests } from './known-requests.js'
import type { SearchCall } from './search-call.js'

const call = (bytes: string, uid: string | null = 'a', kind: SearchCall['kind'] = 'searchBody'): SearchCall => ({
  kind,
  bytes: Buffer.from(bytes),
  uid,
})
const naming = (...queried: string[]) => ({ queried, faceted: [] })

const list = (bytes: string) => call(bytes, null, 'multiSearch')

test('a search of one index is known before it was ever sent', () => {
  const { named, text } = new KnownRequests().get(call('{}'))!
  expect(named).toEqual(naming('a'))
  const others = [call('{} '), call('{}', 'b'), call('{}', 'a', 'searchParameters')]
  const texts = others.map((each) => new KnownRequests().get(each)!.text)
  expect(new Set([text, ...texts]).size).toBe(4)
})

test('several searches are known by their bytes once they were sent', () => {
  const requests = new KnownRequests()
  expect(requests.get(list('{}'))).toBeUndefined()
  requests.add(list('{}'), naming('a', 'b'))
  expect(requests.get(list('{}'))?.named).toEqual(naming('a', 'b'))
  expect(requests.get(list('{} '))).toBeUndefined()
})

test('requests of other kinds, for what cannot be an index, large ones and those of many queries stay unknown', () => {
  const requests = new KnownRequests()
  const isKept = (search: SearchCall, queries = 1) => {
    requests.add(search, naming(...Array.from({ length: queries }, () => 'a')))
    return requests.get(search) !== undefined
  }
  const long = (length: number) => list('x'.repeat(length))
  expect([isKept(call('x'.repeat(2048))), isKept(call('x'.repeat(2049)))]).toEqual([true, false])
  expect([isKept(long(4096), 2), isKept(long(4097), 2)]).toEqual([true, false])
  expect([isKept(long(100), 16), isKept(long(101), 17), isKept(long(102), 0)]).toEqual([true, false, false])
  expect([isKept(call('{}', 'a', 'facetSearch')), isKept(call('{}', 'a b'))]).toEqual([false, false])
})

test('no more is kept than there is room for', () => {
  const requests = new KnownRequests(10_000)
  const calls = Array.from({ length: 100 }, (_, i) => list(`{"q":"${i}"}`))
  for (const each of calls) requests.add(each, naming('a'))
  expect(calls.filter((each) => requests.get(each) !== undefined).length).toBe(28)
})
