import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { shardOf } from '../src/sharding/index.js'
import { type Task, TestServer } from './server.js'

const KEY = 'a-master-key-of-some-length'
const servers = new Map<string, TestServer>()
afterAll(async () => {
  for (const server of servers.values()) await server.close()
})

async function start(...names: string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const flags = ['--experimental-allowed-ip-networks', 'any']
      const server = await TestServer.start({ masterKey: KEY, flags, keepsPort: true })
      await server.request('PATCH', '/experimental-features', { network: true })
      servers.set(name, server)
    }),
  )
}

const remotes = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { url: servers.get(name)!.url, searchApiKey: KEY, writeApiKey: KEY }]))

/** A server may be killed at any moment: what it did not answer is asked again. */
async function insist(name: string, method: string, path: string, body?: unknown) {
  for (;;) {
    const answer = await servers
      .get(name)!
      .request(method, path, body)
      .catch(() => undefined)
    if (answer !== undefined && answer.status < 500) return answer
    await delay(20)
  }
}

async function taskOf(name: string, uid: number): Promise<Task> {
  return (await insist(name, 'GET', `/tasks/${uid}`)).body as unknown as Task
}

async function ended(name: string, uid: number): Promise<Task> {
  for (;;) {
    const task = await taskOf(name, uid)
    if (task.status !== 'enqueued' && task.status !== 'processing') return task
    await delay(20)
  }
}

/** Waits until a task of the leader is done there and on all others. */
async function endedEverywhere(uid: number, others: readonly string[]): Promise<Task> {
  const task = await ended('a', uid)
  for (const name of others) {
    for (;;) {
      const { network } = (await taskOf('a', uid)) as {
        network?: { remote_tasks: Record<string, { taskUid?: number }> }
      }
      const taskUid = network?.remote_tasks[name]?.taskUid
      if (taskUid !== undefined) {
        await ended(name, taskUid)
        break
      }
      await delay(20)
    }
  }
  return task
}

async function documentsOf(name: string): Promise<Map<string, unknown>> {
  const { body } = await insist(name, 'GET', '/indexes/books/documents?limit=100000&useNetwork=false')
  return new Map((body as { results: { id: string; n: number }[] }).results.map(({ id, n }) => [id, n]))
}

test('a third server takes its share while documents are written and servers are killed', async () => {
  await start('a', 'b', 'c')
  const body = {
    self: 'a',
    leader: 'a',
    remotes: remotes('a', 'b'),
    shards: { s1: { remotes: ['a'] }, s2: { remotes: ['b'] } },
  }
  const { body: begun } = await insist('a', 'PATCH', '/network', body)
  await endedEverywhere(Number(begun.taskUid), ['b'])
  const expected = new Map<string, number>()
  let last = 0
  const write = async (ids: readonly number[], n: number) => {
    const { body } = await insist(
      'a',
      'POST',
      '/indexes/books/documents',
      ids.map((id) => ({ id: `${id}`, n, text: 'a red fox' })),
    )
    last = Number(body.taskUid)
    for (const id of ids) expected.set(`${id}`, n)
  }
  for (let i = 0; i < 10; i++)
    await write(
      Array.from({ length: 300 }, (_, j) => i * 300 + j),
      0,
    )
  await endedEverywhere(last, ['b'])

  const change = await insist('a', 'PATCH', '/network', { remotes: remotes('c'), shards: { s3: { remotes: ['c'] } } })
  expect([change.status, change.body.type]).toEqual([202, 'networkTopologyChange'])
  let isOver = false
  const writing = (async () => {
    for (let n = 1; !isOver; n++) {
      await write(
        Array.from({ length: 20 }, (_, j) => (n * 37 + j * 101) % 4000),
        n,
      )
      await delay(30)
    }
  })()
  for (const name of ['c', 'b', 'a', 'c']) {
    await delay(Math.random() * 400)
    await servers.get(name)!.restart()
  }
  const { status, details } = await endedEverywhere(Number(change.body.taskUid), ['b', 'c'])
  expect([status, (details as { message: string }).message]).toEqual(['succeeded', 'finished'])
  isOver = true
  await writing
  await endedEverywhere(last, ['b', 'c'])

  const names = ['s1', 's2', 's3']
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    const own = [...expected].filter(([id]) => shardOf(names, id) === names[i]).sort()
    expect([...(await documentsOf(name))].sort()).toEqual(own)
  }
}, 240_000)
