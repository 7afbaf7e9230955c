/** Section 8 of the interface document, line by line. */
import { beforeAll, expect, test } from 'vitest'
import { done } from '../filled-server.js'
import type { TestServer } from '../server.js'
import { startGuarded } from './walk.js'

let server: TestServer

beforeAll(async () => {
  server = await startGuarded()
  await server.request('PATCH', '/experimental-features', { chatCompletions: true })
})

test('L232: twenty webhooks and no more', async () => {
  for (let i = 0; i < 20; i++)
    expect((await server.request('POST', '/webhooks', { url: `http://127.0.0.1:9/${i}` })).status).toBe(201)
  const { status, body } = await server.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/20' })
  expect([status, body.code]).toEqual([400, 'invalid_webhooks'])
})

test('L233, L234: workspaces are listed from 0 on, twenty at a time', async () => {
  expect((await server.request('GET', '/chats')).body).toMatchObject({ offset: 0, limit: 20 })
})

test('L235, L236: documents are listed from 0 on, twenty at a time, and nothing may be negative', async () => {
  await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
  const path = '/indexes/films/documents'
  expect((await server.request('GET', path)).body).toMatchObject({ offset: 0, limit: 20 })
  expect((await server.request('GET', `${path}?limit=-1`)).body.code).toBe('invalid_document_limit')
  expect((await server.request('GET', `${path}?offset=-1`)).body.code).toBe('invalid_document_offset')
})
