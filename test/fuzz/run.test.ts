import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { fuzzRequests } from './requests.js'
import { fuzz, judge } from './run.js'

const json = 'application/json'
const errorObject = '{"message":"m","code":"c","type":"t","link":"l"}'

test('requests depend on the seed alone', () => {
  const make = fuzzRequests('key')
  expect(make(7, 50)).toEqual(make(7, 50))
  expect(make(7, 50)).not.toEqual(make(8, 50))
})

test.each([
  ['a success', { status: 200, contentType: json, text: '[]' }],
  ['an error object', { status: 400, contentType: json, text: errorObject }],
])('%s is a good answer', (_name, answer) => {
  expect(judge({ method: 'POST' }, answer)).toBeUndefined()
})

test.each([
  ['a crash', { status: 500, contentType: json, text: errorObject }],
  ['an error without a code', { status: 400, contentType: json, text: '{"message":"m"}' }],
  ['a success that is no JSON', { status: 200, contentType: json, text: '{' }],
  ['an error as plain text', { status: 404, contentType: 'text/plain', text: 'no' }],
  ['an unknown route without words', { status: 404, contentType: '', text: '' }],
  ['an error without words', { status: 400, contentType: '', text: '' }],
])('%s is a bad answer', (_name, answer) => {
  expect(judge({ method: 'POST' }, answer)).toBeTypeOf('string')
})

test('an answer to HEAD has no body', () => {
  expect(judge({ method: 'HEAD' }, { status: 405, contentType: json, text: '' })).toBeUndefined()
  expect(judge({ method: 'HEAD' }, { status: 405, contentType: json, text: errorObject })).toBeTypeOf('string')
})

test('a server that breaks a promise is found out, with the seed that shows it', async () => {
  const server = createServer((_request, response) => response.writeHead(500).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const problems = await fuzz({ port, masterKey: 'key', seed: 3, count: 5 })
  server.close()
  expect(problems).toHaveLength(5)
  expect(problems[0]).toContain('seed 3')
})
