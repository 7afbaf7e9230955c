import { hugeBodies } from './bodies.js'
import { manyConnections, slowClients } from './clients.js'
import { clockJumps } from './clock.js'
import { tormentedCluster } from './cluster.js'
import { damagedFiles } from './damage.js'
import { fullDisk, readOnlyFolder } from './disk.js'
import { hostileSearches } from './hostile.js'
import { manyIndexes } from './indexes.js'
import { killInBackups, killWhileLoaded } from './kills.js'
import { memoryLeak } from './leak.js'
import type { Part } from './part.js'
import { growingShards } from './shards.js'
import { stallingRequests } from './stall.js'

/** By the names of the command line, in the order in which they are run. */
export const parts: Readonly<Record<string, Part>> = {
  'full-disk': fullDisk,
  'read-only': readOnlyFolder,
  damage: damagedFiles,
  clock: clockJumps,
  connections: manyConnections,
  slow: slowClients,
  bodies: hugeBodies,
  stall: stallingRequests,
  hostile: hostileSearches,
  indexes: manyIndexes,
  kill: killWhileLoaded,
  backups: killInBackups,
  cluster: tormentedCluster,
  shards: growingShards,
  leak: memoryLeak,
}
