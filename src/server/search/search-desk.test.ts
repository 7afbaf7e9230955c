import { expect, test } from 'vitest'
import { startIndexServer } from '../index-server.cases.js'
import { SearchDesk } from './search-desk.js'
import type { SearchOrder } from './search-order.js'

test('whoever looks after the thread hears of searches that may take longer than those before them', async () => {
  const server = await startIndexServer()
  const cutoffs = { a: 100, b: null, c: 700, d: 300 }
  for (const [uid, searchCutoffMs] of Object.entries(cutoffs)) {
    await server.done('PATCH', `/indexes/${uid}/settings`, { body: { searchCutoffMs } })
  }
  const heard: number[] = []
  const options = { networks: 'any', remoteTimeoutMs: 1000, errorsUrl: '' } as const
  const desk = new SearchDesk(options, (cutoffMs) => heard.push(cutoffMs))
  for (const uid of ['a', 'b', 'a', 'c', 'd']) {
    const order: SearchOrder = {
      kind: 'searchBody',
      bytes: Buffer.from('{}'),
      uid,
      folders: server.context.indexes.pathsFor([uid]),
      tenantFilters: [],
      gates: { containsFilter: false, foreignKeys: false, network: false, multimodal: false, legacySearch: false },
      includesMetadata: false,
      network: null,
      isProxied: false,
      rules: [],
      queuedMs: 0,
    }
    expect(await desk.run(order)).toMatchObject({ ok: true })
  }
  await desk.closeAll()
  expect(heard).toEqual([100, 700])
})
