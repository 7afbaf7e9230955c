import { beforeAll, expect, test } from 'vitest'
import { MASTER_KEY, startTestServer, type TestServer } from '../server/test-server.fixture.js'
import { runClusterCommand } from './cluster-command.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const status = (...argv: string[]) => runClusterCommand({ argv: ['status', ...argv], env: {} })
const url = () => `http://127.0.0.1:${server.port}`

test('a server of its own belongs to no cluster', async () => {
  expect(await status('--url', url(), '--api-key', MASTER_KEY)).toEqual({
    stdout: '',
    stderr: `findling: The server at ${url()} belongs to no cluster.\n`,
    exitCode: 1,
  })
})

test('the key may come from the environment', async () => {
  const argv = ['status', '--url', url()]
  const { stderr } = await runClusterCommand({ argv, env: { FINDLING_MASTER_KEY: MASTER_KEY } })
  expect(stderr).toMatch(/belongs to no cluster/)
  expect((await status('--url', url())).stderr).toMatch(/wants a key with the action cluster\.get: .* --api-key\.\n$/)
})

test('without a server, or at another one, it says what to do', async () => {
  expect(await status('--url', 'http://127.0.0.1:9')).toMatchObject({
    stderr: expect.stringMatching(
      /^findling: No server answers at http:\/\/127\.0\.0\.1:9 \(.+\): name one with --url\.\n$/,
    ),
    exitCode: 1,
  })
  expect((await status('--url', 'here')).stderr).toBe('findling: --url: expected an absolute URL, found "here".\n')
  const other = await startTestServer({ routes: [] })
  const { stderr, exitCode } = await status('--url', `http://127.0.0.1:${other.port}`)
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/does not know what a cluster is \(404\)/)])
})

test('a wrong command line is a sentence and status 2, help is printed', async () => {
  expect(await status('--ur', 'x')).toMatchObject({ stdout: '', exitCode: 2 })
  expect(await runClusterCommand({ argv: ['stats'], env: {} })).toMatchObject({ exitCode: 2 })
  expect(await runClusterCommand({ argv: [], env: {} })).toMatchObject({ exitCode: 2 })
  const help = await runClusterCommand({ argv: ['--help'], env: {} })
  expect([help.exitCode, help.stdout]).toEqual([0, expect.stringContaining('status [options]')])
})
