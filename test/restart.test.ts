import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestServer } from './server.js'

const KEY = 'a-master-key-of-some-length'
const WATCH = 'watch.cjs'

/** Says when the server listens, and when one of its threads has answered. */
const watching = `
const { Server } = require('node:net')
const { Worker } = require('node:worker_threads')
const say = (what) => process.stderr.write('event: ' + what + '\\n')
const { listen } = Server.prototype
Server.prototype.listen = function (...given) { say('listens'); return listen.apply(this, given) }
const { emit } = Worker.prototype
Worker.prototype.emit = function (name, ...given) {
  if (name === 'message') say('a thread answers')
  return emit.call(this, name, ...given)
}
`

const eventsIn = (log: string): string[] => [...log.matchAll(/^event: (.+)$/gm)].map(([, what = '']) => what)

/** What a server did first when it was started again on the data of an index. */
async function firstEventOf(server: TestServer): Promise<string | undefined> {
  const { body } = await server.request('POST', '/indexes/books/documents', [{ id: 1, title: 'Dune' }])
  await server.waitTask(Number(body.taskUid))
  writeFileSync(join(server.folder, WATCH), watching)
  await server.stop('SIGTERM')
  await server.restart({ masterKey: KEY, env: { NODE_OPTIONS: `--require ./${WATCH}` } })
  return eventsIn(server.log)[0]
}

test('a server that others stand in for takes connections when it can search', async () => {
  const server = await TestServer.start({ masterKey: KEY })
  try {
    await server.request('PATCH', '/experimental-features', { network: true })
    const remotes = { a: { url: 'http://127.0.0.1:1', searchApiKey: null, writeApiKey: null } }
    const network = { self: 'a', leader: 'a', remotes, shards: { s: { remotes: ['a'] } } }
    const { body } = await server.request('PATCH', '/network', network)
    await server.waitTask(Number(body.taskUid))
    expect(await firstEventOf(server)).toBe('a thread answers')
    const { body: found } = await server.request('POST', '/indexes/books/search', { q: 'dune' })
    expect(found.hits).toHaveLength(1)
  } finally {
    await server.close()
  }
})

test('one that is alone takes them at once', async () => {
  const server = await TestServer.start({ masterKey: KEY })
  try {
    expect(await firstEventOf(server)).toBe('listens')
  } finally {
    await server.close()
  }
})
