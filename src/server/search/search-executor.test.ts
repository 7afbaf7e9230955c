import { expect, test } from 'vitest'
import { SearchExecutor } from '../../searching/index.js'
import { PLAIN_ORDER } from '../../searching/search-order.fixture.js'
import { Environment } from '../../store/index.js'
import { startIndexServer } from '../index-server.fixture.js'

test('whoever looks after the thread hears of searches that may take longer than those before them', async () => {
  const server = await startIndexServer()
  const cutoffs = { a: 100, b: null, c: 700, d: 300 }
  for (const [uid, searchCutoffMs] of Object.entries(cutoffs)) {
    await server.done('PATCH', `/indexes/${uid}/settings`, { body: { searchCutoffMs } })
  }
  const heard: number[] = []
  const options = { networks: 'any', remoteTimeoutMs: 1000, errorsUrl: '' } as const
  const executor = new SearchExecutor(options, (cutoffMs) => heard.push(cutoffMs))
  for (const uid of ['a', 'b', 'a', 'c', 'd']) {
    const folders = server.context.indexes.pathsFor([uid])
    expect(await executor.run({ ...PLAIN_ORDER, bytes: Buffer.from('{}'), uid, folders })).toMatchObject({ ok: true })
  }
  await executor.closeAll()
  expect(heard).toEqual([100, 700])
})

test('an index that is damaged is said to be so by each search, not by the first one only', async () => {
  const server = await startIndexServer()
  const embedders = { manual: { source: 'userProvided', dimensions: 2 } }
  await server.done('PATCH', '/indexes/a/settings', { body: { embedders } })
  await server.done('POST', '/indexes/a/documents', { body: [{ id: 1, _vectors: { manual: [0, 1] } }] })
  const [[, path]] = server.context.indexes.pathsFor(['a']) as [[string, string]]
  // What is known of embedders is read once, with much else.
  const raw = Environment.open(path, { maxDatabases: 32 })
  raw.writeSync(() => raw.database('main').put(Buffer.from('embedders'), Buffer.from('damaged')))
  const executor = new SearchExecutor({ networks: 'any', remoteTimeoutMs: 1000, errorsUrl: '' })
  const body = JSON.stringify({ vector: [0, 1], hybrid: { embedder: 'manual', semanticRatio: 1 } })
  const search = async () =>
    executor.run({
      ...PLAIN_ORDER,
      uid: 'a',
      bytes: Buffer.from(body),
      folders: server.context.indexes.pathsFor(['a']),
    })
  for (let round = 0; round < 3; round++) {
    await expect(search()).rejects.toThrow('a value of the database "main" of the index "a" has a wrong checksum')
  }
  await executor.closeAll()
  await raw.close()
})
