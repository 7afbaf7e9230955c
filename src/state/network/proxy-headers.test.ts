import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proxyHeaders, readProxyHeaders } from './proxy-headers.js'

const name = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => Buffer.from(text).toString())
const origin = fc.record({ remoteName: name, taskUid: fc.nat(), networkVersion: fc.uuid() })
const handed = fc.record({ remoteName: name, indexName: name, documentCount: fc.nat(), taskKey: name })

test('headers are read as they were written, with and without X-', () => {
  fc.assert(
    fc.property(origin, fc.option(handed, { nil: undefined }), fc.boolean(), (origin, from, isPlain) => {
      const headers = proxyHeaders(origin, from && { ...from, indexCount: 1, totalDocuments: 2 })
      const sent = headers.filter(([name]) => name.startsWith('X-') !== isPlain)
      const read = readProxyHeaders(Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value])))
      expect(read).toEqual({ ok: true, value: from === undefined ? { origin } : { origin, import: from } })
    }),
  )
})

test('of two forms of a header, the one with X- counts', () => {
  const sent = {
    'meili-proxy-origin-remote': 'a',
    'x-meili-proxy-origin-remote': 'b',
    'meili-proxy-origin-taskuid': '1',
  }
  expect(readProxyHeaders(sent)).toMatchObject({ value: { origin: { remoteName: 'b', taskUid: 1 } } })
})

test('documents that are handed over say when they came, each of them', () => {
  const from = { remoteName: 'a', indexName: 'i', documentCount: 2, taskKey: 'k', arrivals: '5.2' }
  const headers = proxyHeaders(
    { remoteName: 'a', taskUid: 1, networkVersion: '01a1edbd-e916-7bb3-8c22-b06d2498efd5' },
    { ...from, indexCount: 1, totalDocuments: 2 },
  )
  const sent = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  expect(readProxyHeaders(sent)).toMatchObject({ value: { import: from } })
  const wrong = readProxyHeaders({ ...sent, 'x-findling-import-arrivals': '5' })
  expect(wrong).toMatchObject({ ok: false, failure: { code: 'invalid_header_value' } })
})
