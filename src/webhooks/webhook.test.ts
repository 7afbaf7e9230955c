import { describe, expect, test } from 'vitest'
import type { Result } from '../errors/index.js'
import {
  COMMAND_LINE_UUID,
  changeWebhook,
  commandLineWebhook,
  createWebhook,
  type Webhook,
  type WebhookPatch,
} from './webhook.js'

const UUID = '94c77c18-d9eb-453f-b569-c9bfb674cb9d'
const URL_TEXT = 'http://localhost:6666/hook'

const headers = (entries: Record<string, string | null>) => new Map(Object.entries(entries))
const many = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`h${i}`, '']))
const create = (patch: WebhookPatch, storedCount = 0) => createWebhook(UUID, patch, storedCount)

function value(result: Result<Webhook>): Webhook {
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

function refusal(result: Result<Webhook>): [code: string, message: string] {
  if (result.ok) throw new Error('was accepted')
  return [result.failure.code, result.failure.message]
}

const code = (result: Result<Webhook>) => refusal(result)[0]

describe('creating', () => {
  test('keeps the url verbatim, sorts headers by bytes and stores null values as empty', () => {
    const created = value(create({ url: 'http://H', headers: headers({ b: '2', a: null, B: '1' }) }))
    expect(created.url).toBe('http://H')
    expect([...created.headers]).toEqual([
      ['B', '1'],
      ['a', ''],
      ['b', '2'],
    ])
  })

  test.each([undefined, null, ''])('needs a url: %j is refused', (url) => {
    const [found, message] = refusal(create({ url, headers: headers({ authorization: 'TOKEN' }) }))
    expect(found).toBe('invalid_webhook_url')
    expect(message).toContain('`url`')
  })

  test('without headers, or with null, has none', () => {
    expect(value(create({ url: URL_TEXT })).headers.size).toBe(0)
    expect(value(create({ url: URL_TEXT, headers: null })).headers.size).toBe(0)
  })

  test.each(['not-a-url', '//host/path', '/path', 'http://', 'http://['])('%s is no absolute URL', (url) => {
    const [found, message] = refusal(create({ url }))
    expect(found).toBe('invalid_webhook_url')
    expect(message).toContain(JSON.stringify(url))
  })

  test.each(['ftp://h/x', 'mailto:a@b.c', 'file:///etc/passwd', 'ws://h', 'httpx://h', 'localhost:80'])(
    '21.16: %s is refused, since webhooks are called by http or https',
    (url) => {
      const [found, message] = refusal(create({ url }))
      expect(found).toBe('invalid_webhook_url')
      expect(message).toContain('http or https')
      expect(code(changeWebhook(value(create({ url: URL_TEXT })), { url }))).toBe('invalid_webhook_url')
      expect(code(commandLineWebhook({ url, authorization: null }))).toBe('invalid_webhook_url')
    },
  )

  test.each(['http://127.0.0.1:1/', 'https://h', 'HTTPS://h'])('%s is accepted', (url) => {
    expect(value(create({ url })).url).toBe(url)
  })

  test.each(['invalid header name', '', 'a:b', 'é', 'a\n'])('%j is no header name', (name) => {
    const [found, message] = refusal(create({ url: URL_TEXT, headers: headers({ [name]: 'value' }) }))
    expect(found).toBe('invalid_webhook_headers')
    expect(message).toContain(JSON.stringify(name))
  })

  test.each(['token\nwith\nnewlines', '\r', '\0', '\x7f', 'a\x1fb'])('%j is no header value', (secret) => {
    const [found, message] = refusal(create({ url: URL_TEXT, headers: headers({ authorization: secret }) }))
    expect(found).toBe('invalid_webhook_headers')
    expect(message).toContain('"authorization"')
    expect(message).not.toContain('token')
  })

  test.each(['a\tb', ' blank ', 'Zoë', '東京', ''])('%j is a header value', (text) => {
    expect(value(create({ url: URL_TEXT, headers: headers({ a: text }) })).headers.get('a')).toBe(text)
  })

  test('accepts 200 headers and the twentieth webhook, not more', () => {
    expect(value(create({ url: URL_TEXT, headers: many(200) }, 19)).headers.size).toBe(200)
    const [tooMany, message] = refusal(create({ url: URL_TEXT, headers: many(201) }))
    expect(tooMany).toBe('invalid_webhook_headers')
    expect(message).toContain('200')
    const [full, fullMessage] = refusal(create({ url: URL_TEXT }, 20))
    expect(full).toBe('invalid_webhooks')
    expect(fullMessage).toContain('20')
  })

  test('checks in the order of the table', () => {
    const badHeader = headers({ 'a b': 'c' })
    expect(code(create({ headers: many(201) }, 20))).toBe('invalid_webhook_headers')
    expect(code(create({ headers: badHeader }, 20))).toBe('invalid_webhooks')
    expect(code(create({ headers: badHeader }))).toBe('invalid_webhook_url')
    expect(code(create({ url: 'nonsense', headers: badHeader }))).toBe('invalid_webhook_headers')
  })
})

describe('changing', () => {
  const before = value(create({ url: URL_TEXT, headers: headers({ a: '1', b: '2' }) }))
  const change = (patch: WebhookPatch) => changeWebhook(before, patch)

  test('keeps what is absent', () => {
    expect(value(change({}))).toEqual(before)
    expect(value(change({ url: 'http://other' }))).toEqual({ ...before, url: 'http://other' })
  })

  test('sets, removes and keeps single headers', () => {
    expect([...value(change({ headers: headers({ a: null, c: '3', b: '4', unknown: null }) })).headers]).toEqual([
      ['b', '4'],
      ['c', '3'],
    ])
  })

  test('tells headers apart by letter case', () => {
    expect([...value(change({ headers: headers({ A: '3' }) })).headers.keys()]).toEqual(['A', 'a', 'b'])
    expect([...value(change({ headers: headers({ A: null }) })).headers.keys()]).toEqual(['a', 'b'])
  })

  test('removes all headers with null', () => {
    expect(value(change({ headers: null })).headers.size).toBe(0)
  })

  test.each([null, ''])('refuses the url %j before looking at headers', (url) => {
    expect(code(change({ url, headers: headers({ 'a b': '' }) }))).toBe('invalid_webhook_url')
  })

  test('counts headers after merging', () => {
    const full = value(create({ url: URL_TEXT, headers: many(200) }))
    expect(code(changeWebhook(full, { headers: headers({ extra: '' }) }))).toBe('invalid_webhook_headers')
    expect(value(changeWebhook(full, { headers: headers({ extra: '', h0: null }) })).headers.size).toBe(200)
  })

  test('refuses bad headers before a bad url', () => {
    expect(code(change({ url: 'nonsense', headers: headers({ a: '\n' }) }))).toBe('invalid_webhook_headers')
    expect(code(change({ url: 'nonsense' }))).toBe('invalid_webhook_url')
  })

  test('stores a redacted value literally', () => {
    expect(value(change({ headers: headers({ a: 'XXX...' }) })).headers.get('a')).toBe('XXX...')
  })
})

describe('the webhook of the command line', () => {
  test('has the nil uuid and a normalized url', () => {
    expect(value(commandLineWebhook({ url: 'http://h', authorization: null }))).toEqual({
      uuid: COMMAND_LINE_UUID,
      url: 'http://h/',
      headers: new Map(),
    })
  })

  test('sends its authorization', () => {
    const given = value(commandLineWebhook({ url: 'http://h', authorization: 'Bearer a-secret-token' }))
    expect([...given.headers]).toEqual([['Authorization', 'Bearer a-secret-token']])
  })

  test('must be a URL with a header that can be sent', () => {
    expect(code(commandLineWebhook({ url: 'nonsense', authorization: null }))).toBe('invalid_webhook_url')
    expect(code(commandLineWebhook({ url: 'http://h', authorization: 'a\nb' }))).toBe('invalid_webhook_headers')
  })
})

test('a url that is sent back with its password masked is the stored one', () => {
  const before = value(create({ url: 'https://anna:pa55@h.example/hook' }))
  expect(value(changeWebhook(before, { url: 'https://anna:XXX...@h.example/hook' })).url).toBe(before.url)
  expect(value(changeWebhook(before, { url: 'https://anna:XXX...@other.example/' })).url).toBe(
    'https://anna:XXX...@other.example/',
  )
})
