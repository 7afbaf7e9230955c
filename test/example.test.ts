import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from './server.js'

const project = join(import.meta.dirname, '..')
const KEY = 'a-key-of-sixteen-bytes-or-more'
const FILMS = 36_273

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start({ masterKey: KEY })
})
afterAll(() => server.close())

async function example(...flags: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['--import', 'tsx', 'scripts/example.ts', ...flags]
  return promisify(execFile)(process.execPath, command, { cwd: project }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

test('npm run example loads the films, and the searches that it proposes find some', { timeout: 120_000 }, async () => {
  const { code, stdout } = await example('--url', server.url, '--key', KEY)
  expect(code).toBe(0)
  expect(stdout).toContain(`${FILMS} films are in the index "films"`)
  const stats = await server.request('GET', '/indexes/films/stats')
  expect(stats.body).toMatchObject({ numberOfDocuments: FILMS, isIndexing: false })

  const proposed = [...stdout.matchAll(/^curl (\S+) .*\n {2}-d '(.*)'$/gm)]
  const answers = await Promise.all(
    proposed.map(async ([, url = '', body]) => {
      expect(url.startsWith(server.url)).toBe(true)
      return (await server.request<Found>('POST', url.slice(server.url.length), body)).body
    }),
  )
  expect(answers[0]!.hits[0]!._formatted!.title).toBe('Star Wars: Episode I – The <em>Phantom</em> <em>Menace</em>')
  const [first, ...others] = answers[1]!.hits
  expect(first!.cast).toContain('Keanu Reeves')
  for (const { genres, year } of others) {
    expect(genres).toContain('Action')
    expect(year).toBeLessThanOrEqual(first!.year)
  }
  expect(answers[2]!.facetDistribution!.genres).toMatchObject({ Drama: expect.any(Number) })
})

interface Found {
  hits: { cast: string[]; genres: string[]; year: number; _formatted?: { title: string } }[]
  facetDistribution?: Record<string, Record<string, number>>
}

test('without a key, or without a server, it says what to do', async () => {
  const refused = await example('--url', server.url)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/missing_authorization_header.* Give a key that may do this with --key\./)
  const unreached = await example('--url', 'http://127.0.0.1:9')
  expect(unreached.code).toBe(1)
  expect(unreached.stderr).toMatch(/^No server answers at http:\/\/127\.0\.0\.1:9 \(.+\)\. Start one with `npm start`/)
})
