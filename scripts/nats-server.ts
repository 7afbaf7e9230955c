/**
 * `npx tsx scripts/nats-server.ts`: obtains the nats-server that tests of clusters need, and says where it is or what to
 * install. Those tests are skipped without one, so that is no failure.
 */
import { findNatsServer } from '../src/cluster/index.js'

try {
  console.log(`nats-server: ${await findNatsServer()}`)
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
