import { expect, test } from 'vitest'
import { OpenIndexes } from '../../searching/index.js'
import { startIndexServer } from '../index-server.fixture.js'

test('indexes together keep no more than they may, and the one that is searched keeps all of it', async () => {
  const server = await startIndexServer()
  for (const uid of ['a', 'b', 'c'])
    await server.done('POST', `/indexes/${uid}/documents`, { body: [{ id: 1, t: 'sun' }] })
  const paths = new Map(server.context.indexes.pathsFor(['a', 'b', 'c']))
  const open = new OpenIndexes(1)
  const search = (uid: string) => {
    const index = open.open(uid, paths.get(uid)!)
    index.words.postings('sun')
    expect(index.sizeBytes).toBeGreaterThan(1)
    return index
  }
  const [a, b] = [search('a'), search('b')]
  const c = search('c')
  await open.closeSurplus()
  expect(open.open('c', paths.get('c')!)).toBe(c)
  for (const [uid, before] of [
    ['a', a],
    ['b', b],
  ] as const) {
    const now = open.open(uid, paths.get(uid)!)
    expect(now).not.toBe(before)
    expect(now.sizeBytes).toBe(0)
    expect(now.words.postings('sun')?.docIds).toEqual(Uint32Array.of(0))
  }
  await open.closeAll()
})

test('what fits stays', async () => {
  const server = await startIndexServer()
  for (const uid of ['a', 'b']) await server.done('POST', `/indexes/${uid}/documents`, { body: [{ id: 1, t: 'sun' }] })
  const open = new OpenIndexes()
  const indexes = server.context.indexes.pathsFor(['a', 'b']).map(([uid, path]) => open.open(uid, path))
  for (const index of indexes) index.words.postings('sun')
  await open.closeSurplus()
  for (const { sizeBytes } of indexes) expect(sizeBytes).toBeGreaterThan(1)
  expect(server.context.indexes.pathsFor(['a', 'b']).map(([uid, path]) => open.open(uid, path))).toEqual(indexes)
  await open.closeAll()
})
