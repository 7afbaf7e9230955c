import { expect, test } from 'vitest'
import { print } from '../json/index.js'
import { toListView, toView } from './view.js'
import { COMMAND_LINE_UUID, type Webhook } from './webhook.js'

const webhook = (headers: Record<string, string>, uuid = '94c77c18-d9eb-453f-b569-c9bfb674cb9d'): Webhook => ({
  uuid,
  url: 'https://x.io',
  headers: new Map(Object.entries(headers)),
})

test('21.16: Proxy-Authorization is redacted like Authorization', () => {
  const view = toView(webhook({ 'Proxy-Authorization': 'Bearer a-secret-token', 'proxy-authorization': 'TOKEN' }))
  expect(print(view.get('headers') ?? null)).toBe(
    '{"Proxy-Authorization":"Bearer a-XXXX...","proxy-authorization":"XXX..."}',
  )
})

test('the password in a url is not shown', () => {
  const view = toView({ ...webhook({}), url: 'https://anna:pa55@x.io/hook' })
  expect(view.get('url')).toBe('https://anna:XXX...@x.io/hook')
})

test('headers named authorization are redacted in any letter case, others are not', () => {
  const view = toView(
    webhook({ AUTHORIZATION: 'TOKEN', Authorization: 'TOKEN', authorization: 'TOKEN', 'x-key': 'TOKEN' }),
  )
  expect(print(view)).toBe(
    '{"uuid":"94c77c18-d9eb-453f-b569-c9bfb674cb9d","isEditable":true,"url":"https://x.io",' +
      '"headers":{"AUTHORIZATION":"XXX...","Authorization":"XXX...","authorization":"XXX...","x-key":"TOKEN"}}',
  )
})

test('a webhook without headers shows an empty object alone and nothing in the list', () => {
  const none = webhook({}, COMMAND_LINE_UUID)
  expect(print(toView(none))).toBe(
    `{"uuid":"${COMMAND_LINE_UUID}","isEditable":false,"url":"https://x.io","headers":{}}`,
  )
  expect(print(toListView([none, webhook({ a: 'b' })]))).toBe(
    `{"results":[{"uuid":"${COMMAND_LINE_UUID}","isEditable":false,"url":"https://x.io"},` +
      '{"uuid":"94c77c18-d9eb-453f-b569-c9bfb674cb9d","isEditable":true,"url":"https://x.io","headers":{"a":"b"}}]}',
  )
  expect(print(toListView([]))).toBe('{"results":[]}')
})
