/**
 * A process that competes for a lease, so that tests can stop it: `lease-holder.fixture.ts SERVERS NAME MEMBER`. Prints a line
 * with the time (ms) and whether it holds the lease, every 10 ms.
 */
import { openLog } from './open-log.js'

const [servers = '', name = '', member = ''] = process.argv.slice(2)
const log = await openLog({ servers: servers.split(','), name, replicas: 3, allowLazySync: true })
const lease = log.lease(member)
setInterval(() => process.stdout.write(`${Date.now()} ${lease.isHeld}\n`), 10)
