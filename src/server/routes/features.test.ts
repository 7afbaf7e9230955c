import { expect, test } from 'vitest'
import { startTestServer } from '../test-server.fixture.js'

const NAMES = [
  'metrics',
  'logsRoute',
  'editDocumentsByFunction',
  'containsFilter',
  'dynamicSearchRules',
  'network',
  'getTaskDocumentsRoute',
  'taskQueueCompactionRoute',
  'compositeEmbedders',
  'chatCompletions',
  'multimodal',
  'foreignKeys',
  'disableDocumentsFetchQueue',
  'legacySearch',
  'renderRoute',
]

const all = (on: string[] = []) => Object.fromEntries(NAMES.map((name) => [name, on.includes(name)]))
const path = '/experimental-features'

test('all features are off at first, shown in their order', async () => {
  const server = await startTestServer()
  const { json } = await server.send('GET', path)
  expect(json).toEqual(all())
  expect(Object.keys(json)).toEqual(NAMES)
})

test('any of them can be changed, null changes nothing', async () => {
  const server = await startTestServer()
  const patch = async (body: object) => (await server.send('PATCH', path, { body })).json
  expect(await patch({ metrics: true, network: true })).toEqual(all(['metrics', 'network']))
  expect(await patch({ metrics: null, network: false })).toEqual(all(['metrics']))
  expect(await patch({})).toEqual(all(['metrics']))
})

test('changes made at the same time are all kept', async () => {
  const server = await startTestServer()
  await Promise.all(NAMES.map((name) => server.send('PATCH', path, { body: { [name]: true } })))
  expect((await server.send('GET', path)).json).toEqual(all(NAMES))
})

test('anything but a known name with true, false or null is refused', async () => {
  const server = await startTestServer()
  for (const body of [{ metrics: 'true' }, { metrics: 42 }, { nope: true }, { legacy_search: true }]) {
    const { status, json } = await server.send('PATCH', path, { body })
    expect([body, status, json.code]).toEqual([body, 400, 'bad_request'])
  }
  expect((await server.send('GET', path)).json).toEqual(all())
})

test('they outlive the server', async () => {
  const first = await startTestServer()
  await first.send('PATCH', path, { body: { multimodal: true } })
  await first.close()
  const second = await startTestServer({ folder: first.folder })
  expect((await second.send('GET', path)).json).toEqual(all(['multimodal']))
})

test('options switch features on at every start, and they can be switched off until the next', async () => {
  const args = ['--experimental-enable-metrics', '--experimental-enable-logs-route', '--experimental-contains-filter']
  const launched = all(['metrics', 'logsRoute', 'containsFilter'])
  const first = await startTestServer({ args })
  expect((await first.send('GET', path)).json).toEqual(launched)
  expect((await first.send('PATCH', path, { body: { metrics: false } })).json.metrics).toBe(false)
  await first.close()
  const second = await startTestServer({ args, folder: first.folder })
  expect((await second.send('GET', path)).json).toEqual(launched)
})

test('the option for the former search counts until a value is stored', async () => {
  const args = ['--experimental-legacy-search-default']
  const first = await startTestServer({ args })
  expect((await first.send('GET', path)).json.legacySearch).toBe(true)
  await first.send('PATCH', path, { body: { metrics: true } })
  await first.close()
  const second = await startTestServer({ folder: first.folder })
  expect((await second.send('GET', path)).json.legacySearch).toBe(true)
  await second.send('PATCH', path, { body: { legacySearch: false } })
  await second.close()
  const third = await startTestServer({ args, folder: first.folder })
  expect((await third.send('GET', path)).json.legacySearch).toBe(false)
})
