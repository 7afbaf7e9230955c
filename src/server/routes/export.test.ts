import { expect, test } from 'vitest'
import { startIndexServer } from '../index-server.fixture.js'

const server = await startIndexServer()

const post = (body: object) => server.send('POST', '/export', { body })

test('an export without anything is accepted with status 200, and is about all indexes', async () => {
  const { status, json } = await post({})
  expect(status).toBe(200)
  expect(json).toMatchObject({ indexUid: null, status: 'enqueued', type: 'export' })
  expect((await server.ended(json.taskUid)).details).toEqual({
    url: '',
    indexes: { '*': { filter: null, overrideSettings: false } },
  })
})

test('what was asked for is shown, the key masked', async () => {
  const { json } = await post({
    url: 'https://b.example',
    apiKey: 'key',
    payloadSize: '24 MiB',
    indexes: { 'mov*': { filter: ['a = 1', ['b = 2']], overrideSettings: true }, cities: {} },
  })
  expect((await server.ended(json.taskUid)).details).toEqual({
    url: 'https://b.example',
    apiKey: 'XXX...',
    payloadSize: '24 MiB',
    indexes: {
      'mov*': { filter: ['a = 1', ['b = 2']], overrideSettings: true },
      cities: { filter: null, overrideSettings: false },
    },
  })
})

test.each([
  [{ url: null }, 'invalid_export_url'],
  [{ url: 5 }, 'invalid_export_url'],
  [{ apiKey: 5 }, 'invalid_export_api_key'],
  [{ payloadSize: -1 }, 'invalid_export_payload_size'],
  [{ payloadSize: 1.5 }, 'invalid_export_payload_size'],
  [{ payloadSize: 'much' }, 'invalid_export_payload_size'],
  [{ payloadSize: [] }, 'invalid_export_payload_size'],
  [{ indexes: [] }, 'bad_request'],
  [{ indexes: { 'bad pattern!': {} } }, 'bad_request'],
  [{ indexes: { 'a*b': {} } }, 'bad_request'],
  [{ indexes: { a: { overrideSettings: null } } }, 'invalid_export_index_override_settings'],
  [{ indexes: { a: { overrideSettings: 1 } } }, 'invalid_export_index_override_settings'],
  [{ indexes: { a: { unknown: 1 } } }, 'bad_request'],
  [{ unknown: 1 }, 'bad_request'],
])('%j is refused with %s', async (body, code) => {
  expect(await server.codeOf('POST', '/export', { body })).toBe(code)
})

test.each([
  { apiKey: null, payloadSize: null, indexes: null },
  { payloadSize: 0 },
  { payloadSize: '10' },
  { indexes: {} },
  { indexes: { '*': {} } },
])('%j is accepted', async (body) => {
  expect((await post(body)).status).toBe(200)
})
