import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { NatsCluster, natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
const nats = await natsServerForTests()

test.runIf(nats !== undefined)(
  'a nats-server that acknowledges too early ends the launch with a sentence',
  async () => {
    const { servers } = await NatsCluster.start(nats!, { count: 1, lazySync: true })
    const where = ['--db-path', join(temporaryFolder(), 'data.ms'), '--http-addr', '127.0.0.1:0']
    const cluster = ['--cluster-name', 'demo', '--cluster-replicas', '1', '--cluster-nats', servers[0]!.address]
    const argv = [CLI, ...where, ...cluster, '--cluster-nats-monitors', servers[0]!.monitor]
    await expect(promisify(execFile)(process.execPath, argv)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /findling: This server cannot join its cluster\. nats-server \S+ acknowledges writes before they are on disk: [^\n]*\n$/,
      ),
    })
  },
  30_000,
)
