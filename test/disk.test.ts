import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestServer } from './server.js'

/** A small disk of its own needs the right to mount one. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0

let disk = ''

beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'findling-disk-'))
  if (canMount) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
})

afterEach(() => {
  if (canMount) execFileSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

interface Refusal {
  readonly code: string
}

/** Adds documents until one is refused; answers the refusal, of the request or of its task. */
async function fillUp(server: TestServer): Promise<Refusal> {
  for (let i = 0; i < 400; i++) {
    // Text that cannot be packed.
    const body = Array.from({ length: 20 }, (_, n) => ({ id: i * 20 + n, text: randomBytes(3000).toString('base64') }))
    const answer = await server.request<{ taskUid: number } & Refusal>('POST', '/indexes/a/documents', body)
    if (answer.status !== 202) return answer.body
    const task = await server.waitTask(answer.body.taskUid)
    if (task.status !== 'succeeded') return task.error!
  }
  throw new Error('the disk never became full')
}

test.runIf(canMount)(
  'a full disk fails the write with its own code, and the server goes on when there is room again',
  async () => {
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(12 * 1024 * 1024))
    const server = await TestServer.start({ flags: ['--db-path', join(disk, 'data.ms')] })
    try {
      expect((await fillUp(server)).code).toBe('no_space_left_on_device')
      expect((await server.request('GET', '/health')).status).toBe(200)
      rmSync(ballast)
      const { body } = await server.request<{ taskUid: number }>('POST', '/indexes/b/documents', [{ id: 1 }])
      expect((await server.waitTask(body.taskUid)).status).toBe('succeeded')
      const stored = await server.request<{ total: number }>('GET', '/indexes/a/documents?limit=0')
      expect(stored.body.total % 20).toBe(0)
    } finally {
      await server.close()
    }
  },
  120_000,
)
