import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
beforeAll(async () => {
  server = await startIndexServer()
})

const hitsOf = async (index: string, body: object) =>
  (await server.send('POST', `/indexes/${index}/search`, { body })).json.hits

describe('a key with a dot beside an object', () => {
  beforeAll(async () => {
    await server.add('beside', [{ id: 1, 'a.b': 'flat', a: { c: 1, 'd.e': 2, d: { f: 3 } } }])
  })

  test.each([
    [['a'], { a: { c: 1, 'd.e': 2, d: { f: 3 } } }],
    [['a.b'], { 'a.b': 'flat', a: {} }],
    [['a.d'], { a: { d: { f: 3 } } }],
    [['a.d.e'], { a: { 'd.e': 2, d: {} } }],
    [['a.c', 'a.b'], { 'a.b': 'flat', a: { c: 1 } }],
    [['*'], { id: 1, 'a.b': 'flat', a: { c: 1, 'd.e': 2, d: { f: 3 } } }],
  ])('attributesToRetrieve %j gives %j', async (attributesToRetrieve, expected) => {
    expect(await hitsOf('beside', { attributesToRetrieve })).toEqual([expected])
  })

  test('is no part of the object for _formatted and displayedAttributes either', async () => {
    expect(await hitsOf('beside', { q: 'flat', attributesToRetrieve: [], attributesToHighlight: ['a'] })).toEqual([
      { _formatted: { a: { c: '1', 'd.e': '2', d: { f: '3' } } } },
    ])
    expect(await hitsOf('beside', { q: 'flat', attributesToRetrieve: [], attributesToHighlight: ['a.b'] })).toEqual([
      { _formatted: { 'a.b': '<em>flat</em>', a: {} } },
    ])
    await server.done('PATCH', '/indexes/beside/settings', { body: { displayedAttributes: ['a'] } })
    expect(await hitsOf('beside', {})).toEqual([{ a: { c: 1, 'd.e': 2, d: { f: 3 } } }])
  })
})

describe('a field with values of two attributes has them in the order in which they were sent', () => {
  const positionsOf = async (index: string, q: string) =>
    Object.fromEntries(
      (await hitsOf(index, { q, showRankingScoreDetails: true })).map(
        ({
          id,
          _rankingScoreDetails: { wordPosition },
        }: {
          id: number
          _rankingScoreDetails: Record<string, { score: number }>
        }) => [id, wordPosition!.score],
      ),
    )

  test('in each document, whatever the order of the fields of the index', async () => {
    await server.add('orders', [
      { id: 1, 'obj.name': 'flat', obj: { name: 'nested' } },
      { id: 2, obj: { name: 'nested' }, 'obj.name': 'flat' },
    ])
    const [flat, nested] = [await positionsOf('orders', 'flat'), await positionsOf('orders', 'nested')]
    expect(flat).toEqual({ 1: 1, 2: nested[1] })
    expect(nested).toEqual({ 1: flat[2], 2: 1 })
    expect(flat[2]).toBeLessThan(1)
    expect(await server.list('orders')).toEqual([
      { id: 1, 'obj.name': 'flat', obj: { name: 'nested' } },
      { id: 2, 'obj.name': 'flat', obj: { name: 'nested' } },
    ])
  })

  test('after an update: what was sent comes before what was there', async () => {
    await server.add('updates', [{ id: 1, 'obj.name': 'flat', obj: { name: 'nested' } }])
    await server.done('PUT', '/indexes/updates/documents', { body: [{ id: 1, obj: { name: 'newer' } }] })
    expect([await positionsOf('updates', 'newer'), await positionsOf('updates', 'nested')]).toEqual([{ 1: 1 }, {}])
    await server.done('PATCH', '/indexes/updates/settings', { body: { stopWords: ['unrelated'] } })
    expect(await positionsOf('updates', 'newer')).toEqual({ 1: 1 })
    await server.done('DELETE', '/indexes/updates/documents/1')
    expect([await positionsOf('updates', 'newer'), await positionsOf('updates', 'flat')]).toEqual([{}, {}])
  })
})
