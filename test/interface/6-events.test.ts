/** Section 6 of the interface document, line by line: the webhook about tasks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { done, send } from '../filled-server.js'
import { LOOPBACK, MASTER_KEY, onlyCall, startReceiver, startServer } from './walk.js'

const folder = mkdtempSync(join(tmpdir(), 'findling-events-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('L198, L200: --task-webhook-url names a receiver', async () => {
  const receiver = await startReceiver()
  const server = await startServer({ flags: [...LOOPBACK, '--task-webhook-url', receiver.url] })
  await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
  await onlyCall(receiver)
})

test.each(['FINDLING_TASK_WEBHOOK_URL', 'MEILI_TASK_WEBHOOK_URL'])('L200: so does the variable %s', async (name) => {
  const receiver = await startReceiver()
  const server = await startServer({ flags: LOOPBACK, env: { [name]: receiver.url } })
  await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
  await onlyCall(receiver)
})

test.each(['task_webhook_url', 'FINDLING_TASK_WEBHOOK_URL', 'MEILI_TASK_WEBHOOK_URL'])(
  'L200: so does the entry %s of the configuration file',
  async (name) => {
    const receiver = await startReceiver()
    const file = join(folder, `${name}.toml`)
    writeFileSync(file, `${name} = "${receiver.url}"\n`)
    const server = await startServer({ flags: [...LOOPBACK, '--config-file-path', file] })
    await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
    await onlyCall(receiver)
  },
)

test('L200: several webhooks use the route', async () => {
  const receivers = [await startReceiver(), await startReceiver()]
  const server = await startServer({ masterKey: MASTER_KEY, flags: LOOPBACK })
  for (const { url } of receivers) await server.request('POST', '/webhooks', { url })
  await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
  for (const receiver of receivers) await onlyCall(receiver)
})

test('L201: --task-webhook-authorization-header is what is sent', async () => {
  const receiver = await startReceiver()
  const header = ['--task-webhook-authorization-header', 'Bearer a-secret']
  const server = await startServer({ flags: [...LOOPBACK, '--task-webhook-url', receiver.url, ...header] })
  await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
  expect((await onlyCall(receiver)).headers.authorization).toBe('Bearer a-secret')
})

test('L202: private addresses are called only where a network range allows it', async () => {
  const receiver = await startReceiver()
  const server = await startServer({ flags: ['--task-webhook-url', receiver.url, '--log-level', 'WARN'] })
  await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
  await expect.poll(() => server.log, { timeout: 20_000 }).toMatch(/webhook/i)
  expect(receiver.calls).toEqual([])
})

test('L203, L205: finished tasks arrive by POST as ndjson, one per line', async () => {
  const receiver = await startReceiver()
  const server = await startServer({ flags: [...LOOPBACK, '--task-webhook-url', receiver.url] })
  const { uid } = await done(server, 'POST', '/indexes/films/documents', [{ id: 1 }])
  const { method, headers, tasks } = await onlyCall(receiver)
  expect([method, headers['content-type']]).toEqual(['POST', 'application/x-ndjson'])
  expect(tasks).toMatchObject([{ uid, status: 'succeeded' }])
})

test('L204: tasks of one batch are told in one call, when all of them have finished', async () => {
  const receiver = await startReceiver()
  const flags = [...LOOPBACK, '--task-webhook-url', receiver.url]
  const server = await startServer({ flags: [...flags, '--experimental-max-number-of-batched-tasks', '0'] })
  const uids: number[] = []
  for (let id = 1; id <= 3; id++) uids.push(await send(server, 'POST', '/indexes/films/documents', [{ id }]))
  await server.restart({ flags })
  for (const uid of uids) await server.waitTask(uid)
  const { tasks } = await onlyCall(receiver)
  expect(tasks.map(({ uid }) => uid)).toEqual(uids)
})
