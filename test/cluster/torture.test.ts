import { expect, test } from 'vitest'
import { tormentedCluster } from '../../scripts/torture/cluster.js'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'

const nats = await natsServerForTests()

/** The shortest form of what `npm run torture -- --parts cluster` does for minutes. */
test.runIf(nats !== undefined)(
  'nothing acknowledged is lost or done twice when servers, machines and all of them are killed, stopped and restarted',
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    console.log(`seed ${seed}`)
    const seen = await tormentedCluster({ seed, minutes: 0, isShort: true, progress: () => {} })
    expect(seen).toMatch(/^4 blows.*nothing lost, nothing twice, all the same$/)
  },
  300_000,
)
