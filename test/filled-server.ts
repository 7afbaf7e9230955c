import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOlder } from '../src/backup/older-format.fixture.js'
import type { Task, TestServer } from './server.js'

/** What every backup of a server should bring back, and how to look at it. */
export const MASTER_KEY = 'a-master-key-of-good-length'

/** The last one whose indexes have no checksums. */
export const OLDER_VERSION = '1.48.0'

export async function send(server: TestServer, method: string, path: string, body?: unknown): Promise<number> {
  const { status, body: task } = await server.request<{ taskUid: number }>(method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: status ${status}`)
  return task.taskUid
}

export const done = async (
  server: TestServer,
  ...request: [method: string, path: string, body?: unknown]
): Promise<Task> => server.waitTask(await send(server, ...request))

/** Puts something of everything into a server. */
export async function fill(server: TestServer, count: number): Promise<void> {
  await done(server, 'POST', '/indexes/movies/documents', documents(count))
  const settings = { filterableAttributes: ['title'], stopWords: ['the'], synonyms: { film: ['movie'] } }
  await done(server, 'PATCH', '/indexes/movies/settings', settings)
  const key = { name: 'mine', actions: ['search'], indexes: ['mov*'], expiresAt: null }
  await server.request('POST', '/keys', key)
  await server.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/', headers: { authorization: 'Bearer secret' } })
  await server.request('PATCH', '/experimental-features', { containsFilter: true })
}

const documents = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, title: `number ${id}`, text: `${id * 7919} `.repeat(8) }))

/** What a client can see of a server, without what differs between copies. */
export async function seen(server: TestServer): Promise<unknown> {
  const read = async (path: string) => (await server.request(`GET`, path)).body
  return {
    indexes: await read('/indexes'),
    count: (await server.request<{ total: number }>('GET', '/indexes/movies/documents?limit=0')).body.total,
    documents: await read('/indexes/movies/documents?limit=3&offset=100&retrieveVectors=true'),
    settings: await read('/indexes/movies/settings'),
    hits: (await server.request<{ hits: unknown }>('POST', '/indexes/movies/search', { q: 'number 77' })).body.hits,
    keys: await read('/keys'),
    webhooks: await read('/webhooks'),
    features: await read('/experimental-features'),
  }
}

/** Makes a dump and answers its file. */
export async function dumpOf(server: TestServer): Promise<string> {
  const { details } = await done(server, 'POST', '/dumps')
  return join(server.folder, 'dumps', `${(details as { dumpUid: string }).dumpUid}.dump`)
}

/** Makes a snapshot and answers its file, as if this version had written it: without checksums when it is an older one. */
export async function snapshotOf(server: TestServer, version: string): Promise<string> {
  await done(server, 'POST', '/snapshots')
  const folder = join(server.folder, `of-${version}`)
  mkdirSync(folder)
  execFileSync('tar', ['xzf', '../snapshots/data.ms.snapshot'], { cwd: folder })
  writeFileSync(join(folder, 'VERSION'), version)
  if (version === OLDER_VERSION) await makeOlder(folder)
  execFileSync('tar', ['czf', `../${version}.snapshot`, '.'], { cwd: folder })
  rmSync(folder, { recursive: true })
  return join(server.folder, `${version}.snapshot`)
}
