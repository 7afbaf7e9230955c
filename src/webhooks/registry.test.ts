import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Result } from '../errors/index.js'
import { Environment, LocalStateLog } from '../store/index.js'
import { decodeWebhook, encodeWebhook, uuidKey } from './codec.js'
import { WebhookRegistry } from './registry.js'
import { COMMAND_LINE_UUID, type Webhook } from './webhook.js'

const UNKNOWN = 'ffffffff-d9eb-453f-b569-c9bfb674cb9d'
const URL_TEXT = 'http://localhost:6666/hook'
const COMMAND_LINE: Webhook = { uuid: COMMAND_LINE_UUID, url: 'http://h/', headers: new Map() }

let folder: string
let environment: Environment
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'))
  environment = Environment.open(folder)
})
afterEach(async () => {
  await environment.close()
  rmSync(folder, { recursive: true })
})

async function reopen(): Promise<void> {
  await environment.close()
  environment = Environment.open(folder)
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

const code = (result: Result<unknown>) => (result.ok ? 'accepted' : result.failure.code)

test('what is created is listed by uuid, with secrets in clear, also after a restart', async () => {
  const registry = new WebhookRegistry({ log: new LocalStateLog(environment), commandLine: COMMAND_LINE })
  const headers = new Map([['authorization', 'TOKEN']])
  const created = [
    value(await registry.create({ url: URL_TEXT, headers })),
    value(await registry.create({ url: 'http://other' })),
  ].sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
  expect(registry.list()).toEqual([COMMAND_LINE, ...created])
  await reopen()
  expect(new WebhookRegistry({ log: new LocalStateLog(environment) }).list()).toEqual(created)
})

test('the webhook of the command line is found but not stored', async () => {
  const registry = new WebhookRegistry({ log: new LocalStateLog(environment), commandLine: COMMAND_LINE })
  expect(value(registry.get(COMMAND_LINE_UUID))).toEqual(COMMAND_LINE)
  expect(registry.stored()).toEqual([])
  expect(code(new WebhookRegistry({ log: new LocalStateLog(environment) }).get(COMMAND_LINE_UUID))).toBe(
    'webhook_not_found',
  )
})

test('the nil uuid cannot be changed or deleted, given or not', async () => {
  for (const commandLine of [COMMAND_LINE, null]) {
    const registry = new WebhookRegistry({ log: new LocalStateLog(environment), commandLine })
    const update = await registry.update(COMMAND_LINE_UUID, { url: null })
    expect(update).toMatchObject({ failure: { code: 'immutable_webhook' } })
    expect(update).toMatchObject({ failure: { message: expect.stringContaining(COMMAND_LINE_UUID) } })
    expect(code(await registry.delete(COMMAND_LINE_UUID))).toBe('immutable_webhook')
  }
})

test('an unknown uuid is not found, before the body is judged', async () => {
  const registry = new WebhookRegistry({ log: new LocalStateLog(environment) })
  expect(code(registry.get(UNKNOWN))).toBe('webhook_not_found')
  expect(code(await registry.update(UNKNOWN, { url: null }))).toBe('webhook_not_found')
  expect(code(await registry.delete(UNKNOWN))).toBe('webhook_not_found')
})

test('a change is seen and survives a restart; a refused one changes nothing', async () => {
  const registry = new WebhookRegistry({ log: new LocalStateLog(environment) })
  const { uuid } = value(await registry.create({ url: URL_TEXT, headers: new Map([['a', '1']]) }))
  const changed = value(await registry.update(uuid, { headers: new Map([['b', '2']]) }))
  expect([...changed.headers.keys()]).toEqual(['a', 'b'])
  expect(code(await registry.update(uuid, { url: 'nonsense' }))).toBe('invalid_webhook_url')
  await reopen()
  expect(value(new WebhookRegistry({ log: new LocalStateLog(environment) }).get(uuid))).toEqual(changed)
})

test('a deleted webhook is gone', async () => {
  const registry = new WebhookRegistry({ log: new LocalStateLog(environment) })
  const { uuid } = value(await registry.create({ url: URL_TEXT }))
  expect(await registry.delete(uuid)).toEqual({ ok: true, value: undefined })
  expect(registry.list()).toEqual([])
  expect(code(await registry.delete(uuid))).toBe('webhook_not_found')
})

test('twenty webhooks fit beside the one of the command line, also when created at the same moment', async () => {
  const registry = new WebhookRegistry({ log: new LocalStateLog(environment), commandLine: COMMAND_LINE })
  const outcomes = await Promise.all(Array.from({ length: 25 }, () => registry.create({ url: URL_TEXT })))
  expect(outcomes.map(code).filter((outcome) => outcome === 'accepted')).toHaveLength(20)
  expect(new Set(outcomes.slice(20).map(code))).toEqual(new Set(['invalid_webhooks']))
  expect(registry.list()).toHaveLength(21)
  await registry.delete(registry.stored()[0]!.uuid)
  expect(code(await registry.create({ url: URL_TEXT }))).toBe('accepted')
})

test('the webhooks of a dump replace the stored ones', async () => {
  const registry = new WebhookRegistry({ log: new LocalStateLog(environment), commandLine: COMMAND_LINE })
  await registry.create({ url: URL_TEXT })
  const headers = new Map([
    ['b', '2'],
    ['a', '1'],
  ])
  await registry.replaceAll([{ uuid: UNKNOWN, url: 'http://dump', headers }])
  expect(registry.list().map(({ url }) => url)).toEqual(['http://h/', 'http://dump'])
  expect([...registry.list()[1]!.headers.keys()]).toEqual(['a', 'b'])
})

test('encoding and decoding a webhook is the identity', () => {
  const text = fc.string({ unit: 'grapheme' })
  const headers = fc.array(fc.tuple(fc.oneof(text, fc.constant('__proto__'), fc.constant('1')), text))
  fc.assert(
    fc.property(fc.uuid(), text, headers, (uuid, url, entries) => {
      const webhook = { uuid, url, headers: new Map(entries) }
      expect(decodeWebhook(uuidKey(uuid), encodeWebhook(webhook))).toEqual(webhook)
    }),
  )
})

test('damaged bytes are named, not guessed', () => {
  for (const bytes of [Buffer.of(), Buffer.of(2), Buffer.from('\x01{}'), Buffer.from('\x01{"url":1,"headers":{}}')]) {
    expect(() => decodeWebhook(uuidKey(UNKNOWN), bytes)).toThrow(UNKNOWN)
  }
})
