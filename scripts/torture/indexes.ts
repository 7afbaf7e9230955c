import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../../test/random.js'
import { TestServer } from '../../test/server.js'
import { deadlineOf, failWith, type Part } from './part.js'
import { megabytes, memoryOf, openFilesOf } from './process-facts.js'

const INDEXES = 120
const SPARE_FILES = 40

/** Many indexes, made, written, searched, swapped and deleted: files are given back, memory comes to rest. */
export const manyIndexes: Part = async (options) => {
  const random = seededRandom(options.seed)
  const deadline = deadlineOf(options)
  const server = await TestServer.start()
  try {
    await oneRound(server, random)
    const [filesBefore, memoryBefore] = [openFilesOf(server.pid), memoryOf(server.pid)]
    let rounds = 0
    do {
      await oneRound(server, random)
      options.progress(`${++rounds * INDEXES} indexes`)
    } while (performance.now() < deadline)
    await delay(1000)
    const files = openFilesOf(server.pid) - filesBefore
    failWith(files > SPARE_FILES ? [`${files} more files are open than after the first round`] : [])
    const grown = megabytes(memoryOf(server.pid) - memoryBefore)
    return `${rounds * INDEXES} indexes came and went: ${files} more files open, ${grown} more memory than after the first round`
  } finally {
    await server.close()
  }
}

async function oneRound(server: TestServer, random: () => number): Promise<void> {
  const uids = Array.from({ length: INDEXES }, (_, i) => `index-${i}`)
  const write = (uid: string) => send(server, 'POST', `/indexes/${uid}/documents`, [{ id: 1, name: uid }])
  await server.waitTask(Math.max(...(await Promise.all(uids.map(write)))))
  for (const uid of uids) await checkSearch(server, uid, uid)
  const [a, b] = [uids[Math.floor(random() * 60)]!, uids[60 + Math.floor(random() * 60)]!]
  await server.waitTask(await send(server, 'POST', '/swap-indexes', [{ indexes: [a, b] }]))
  await checkSearch(server, a, b)
  await server.waitTask(Math.max(...(await Promise.all(uids.map((uid) => send(server, 'DELETE', `/indexes/${uid}`))))))
  const { body } = await server.request<{ total: number }>('GET', '/indexes')
  if (body.total !== 0) throw new Error(`${body.total} indexes are left`)
}

async function checkSearch(server: TestServer, uid: string, expected: string): Promise<void> {
  const { body, text } = await server.request<{ hits: { name: string }[] }>('POST', `/indexes/${uid}/search`, {})
  if (body.hits?.[0]?.name !== expected) throw new Error(`${uid} should have ${expected}: ${text}`)
}

async function send(server: TestServer, method: string, path: string, body?: unknown): Promise<number> {
  const answer = await server.request<{ taskUid: number }>(method, path, body)
  if (answer.status !== 202) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body.taskUid
}
