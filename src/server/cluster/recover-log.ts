import { join } from 'node:path'
import { Ledger, LogMissing } from '../../cluster/index.js'
import { type ClusterConfig, type Config, LaunchError } from '../../config/index.js'
import { Environment } from '../../store/index.js'
import { inspectDataFolder, lockDataFolder } from '../data-folder.js'
import { openLogOf } from './open-cluster.js'

export interface RecoveredLog {
  readonly cluster: string
  /** Of the first entry that the new log is going to hold. */
  readonly firstSequence: number
}

/**
 * Makes a new log that goes on where the data of this server end, for a cluster whose log is lost, or for a server that is to
 * become a cluster. The server must not be running. Others whose data end elsewhere take a copy of its data when they start.
 */
export async function recoverLog({ cluster, dbPath, backups }: Config): Promise<RecoveredLog> {
  if (cluster === null) throw new LaunchError('--cluster-name is missing: it says which cluster is to get a new log.')
  if ('port' in cluster.nats) {
    throw new LaunchError(
      'A log cannot be recovered with `--cluster-nats child`: start the nats-servers by themselves and name their addresses.',
    )
  }
  if (inspectDataFolder(dbPath, backups).isEmpty)
    throw new LaunchError(`The data folder ${dbPath} is empty: there is nothing to make a log from.`)
  const lock = lockDataFolder(dbPath, backups)
  try {
    await refuseIfThere(cluster)
    return await makeLog(cluster, dbPath)
  } finally {
    lock.release()
  }
}

async function refuseIfThere(cluster: ClusterConfig): Promise<void> {
  try {
    const log = await openLogOf(cluster, { mustExist: true })
    const { firstSequence, lastSequence } = await log.health()
    await log.close()
    throw new LaunchError(
      `The log of the cluster "${cluster.name}" is there, with entries from ${firstSequence} to ${lastSequence}: nothing was changed.`,
    )
  } catch (error) {
    if (error instanceof LogMissing) return
    throw error instanceof LaunchError ? error : new LaunchError(`${(error as Error).message}`, { cause: error })
  }
}

async function makeLog(cluster: ClusterConfig, dbPath: string): Promise<RecoveredLog> {
  const environment = Environment.open(join(dbPath, 'tasks'), { maxDatabases: 32 })
  try {
    const ledger = new Ledger(environment)
    // Above 1 also for a server that never had a log: who has no data must not think that it can read them from this one.
    const firstSequence = Math.max(ledger.link.sequence, 1) + 1
    const log = await openLogOf(cluster, { firstSequence })
    await environment.write(() => ledger.begin(log.identity, firstSequence - 1))
    await log.close()
    return { cluster: cluster.name, firstSequence }
  } finally {
    await environment.close()
  }
}
