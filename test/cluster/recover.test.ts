import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, ClusterServer, LocalCluster } from '../../scripts/cluster/local-cluster.js'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

const nats = await natsServerForTests()
const films = (count: number) => Array.from({ length: count }, (_, id) => ({ id, title: `film ${id}` }))

/** `findling cluster recover` on the folder of a server that is stopped. */
const recover = ({ folder, flags }: ClusterServer) =>
  promisify(execFile)(process.execPath, [CLI, 'cluster', 'recover', '--db-path', 'data.ms', ...flags], {
    cwd: folder,
  }).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => error.stderr,
  )

describe.runIf(nats !== undefined)('a new log', () => {
  let cluster: LocalCluster

  beforeAll(async () => {
    cluster = await LocalCluster.prepare({ folder: temporaryFolder() })
    await Promise.all(cluster.nats.map((server) => server.start()))
    await Promise.all(cluster.nats.map((server) => server.ready()))
  }, 60_000)
  afterAll(() => cluster?.stop('SIGKILL'), 60_000)

  const numberOfDocuments = () =>
    Promise.all(
      cluster.servers.map(
        async (server) => (await server.request('GET', '/indexes/films/stats')).body.numberOfDocuments,
      ),
    )

  test('makes a cluster of a server that was one of its own', async () => {
    const [first, ...others] = cluster.servers
    const alone = new ClusterServer('alone', first!.port, first!.folder, [])
    await alone.start()
    await alone.ready()
    await alone.waitTask((await alone.request('POST', '/indexes/films/documents', films(50))).body.taskUid)
    await alone.signal('SIGTERM')
    expect(await recover(first!)).toContain('has a new log, which begins at 2.')
    await first!.start()
    await first!.ready()
    await Promise.all(others.map((server) => server.start()))
    await Promise.all(others.map((server) => server.ready()))
    expect(await numberOfDocuments()).toEqual([50, 50, 50])
    const { body } = await others[0]!.request('POST', '/indexes/films/documents', films(60))
    await others[1]!.waitTask(body.taskUid)
    expect(await numberOfDocuments()).toEqual([60, 60, 60])
    expect(await recover(first!)).toMatch(/is in use by|is there/)
  }, 120_000)

  test('takes the place of one that is lost, and nothing that was done is', async () => {
    await cluster.stop('SIGTERM')
    for (const { options } of cluster.nats) rmSync(options.folder, { recursive: true })
    await Promise.all(cluster.nats.map((server) => server.start()))
    await Promise.all(cluster.nats.map((server) => server.ready()))
    const [a, b, c] = cluster.servers
    await a!.start()
    await expect(a!.ready()).rejects.toThrow('has ended')
    expect(await recover(a!)).toContain('has a new log')
    rmSync(join(c!.folder, 'data.ms'), { recursive: true })
    for (const server of [a!, b!, c!]) {
      await server.start()
      await server.ready()
    }
    const { body } = await c!.request('POST', '/indexes/films/documents', films(70))
    await b!.waitTask(body.taskUid)
    expect(await numberOfDocuments()).toEqual([70, 70, 70])
  }, 120_000)

  test('a server that is gone for good is removed, one that runs is not', async () => {
    const [a, b, c] = cluster.servers
    const remove = (name: string) => a!.request('DELETE', `/cluster/members/${name}`)
    expect(await remove(b!.name)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    await c!.signal('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    expect((await remove(c!.name)).status).toBe(204)
    const { body } = await a!.request('GET', '/cluster')
    expect(body.members.map(({ name }: { name: string }) => name)).toEqual([a!.name, b!.name])
  }, 60_000)
})
