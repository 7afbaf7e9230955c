import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LedgerState, LogUnavailable, type MemberReport, type ReplicatedLog } from '../../cluster/index.js'
import { type ClusterConfig, type Config, LaunchError } from '../../config/index.js'
import type { Log } from '../../log/index.js'
import { Environment } from '../../store/index.js'
import { TaskStore } from '../../tasks/index.js'
import { openLogOf } from './open-cluster.js'

const LISTEN_MS = 1_500
const RETRY_MS = 1_000

export interface Joining {
  readonly config: Config
  readonly cluster: ClusterConfig
  readonly log: Log
  /** Whether the data folder is. */
  readonly isEmpty: boolean
}

/**
 * Looks whether the data of this server can follow the log of its cluster. If not, because it is new, was away for long or
 * its data differ, downloads those of another server. Answers the path of that copy, which takes the place of the folder.
 */
export async function copyToJoinWith(joining: Joining): Promise<string | undefined> {
  const { config, cluster, isEmpty } = joining
  const { Ledger } = await import('../../cluster/index.js')
  const state = isEmpty ? NOTHING : readState(config.dbPath, (environment) => new Ledger(environment).state)
  // It can answer searches before it knows. If its data turn out to be of no use, it begins again.
  if (!isEmpty && state.lostBecause === undefined) return undefined
  const opened = await openLog(joining, { mustExist: state.position > 0 })
  try {
    const { firstSequence } = await opened.health()
    if (state.lostBecause === undefined && firstSequence <= 1) return undefined
    joining.log.child('cluster').info({}, 'this server takes a copy of the data of another one')
    const path = `${config.dbPath}.copy-of-cluster`
    while (!(await isDownloaded(joining, await findGiver(opened, joining, cluster.nodeName), path))) {
      await sleep(RETRY_MS)
    }
    return path
  } finally {
    await opened.close()
  }
}

const NOTHING: LedgerState = { position: 0, logIdentity: undefined, lostBecause: undefined }

/** Throws when the folder has data that no log knows of. */
function readState(dbPath: string, read: (environment: Environment) => LedgerState): LedgerState {
  const environment = Environment.open(join(dbPath, 'tasks'), { maxDatabases: 32 })
  try {
    const state = read(environment)
    if (state.position === 0 && state.lostBecause === undefined && holdsData(dbPath, environment)) {
      throw new LaunchError(
        `The data folder ${dbPath} is that of a server of its own. To begin a cluster with its data, run \`findling cluster recover\` once with the options of this start; to join a cluster, start with an empty folder.`,
      )
    }
    return state
  } finally {
    void environment.close()
  }
}

function holdsData(dbPath: string, environment: Environment): boolean {
  if (!new TaskStore(environment).all().isEmpty || environment.database('indexes').count() > 0) return true
  if (!existsSync(join(dbPath, 'auth'))) return false
  const auth = Environment.open(join(dbPath, 'auth'))
  try {
    return auth.database('keys').count() > 0
  } finally {
    void auth.close()
  }
}

async function openLog({ cluster, log }: Joining, { mustExist }: { mustExist: boolean }): Promise<ReplicatedLog> {
  for (;;) {
    try {
      return await openLogOf(cluster, { mustExist })
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw new LaunchError(launchText(error), { cause: error })
      log.child('cluster').warn({ error }, 'a server without data waits for the cluster log')
      await sleep(RETRY_MS)
    }
  }
}

const launchText = (error: unknown): string =>
  `This server cannot join its cluster. ${error instanceof Error ? error.message : String(error)}`

/** The server that has come furthest of those that say they are ready. Waits until there is one. */
async function findGiver(log: ReplicatedLog, { log: records }: Joining, ownName: string): Promise<string> {
  const { decodeReport } = await import('../../cluster/index.js')
  for (;;) {
    const heard = new Map<string, MemberReport>()
    const stop = log.onTold((bytes) => {
      const report = decodeReport(bytes)
      if (report !== undefined) heard.set(report.name, report)
    })
    await sleep(LISTEN_MS)
    stop()
    const givers = [...heard.values()].filter(({ name, url, isReady }) => isReady && url !== null && name !== ownName)
    const [first] = givers.sort((a, b) => b.carriedOut - a.carriedOut)
    if (first?.url) return first.url
    records
      .child('cluster')
      .warn({}, 'this server waits for another one that is ready and has a --cluster-advertise-url')
  }
}

/** False when that server died meanwhile: another one may be asked. */
async function isDownloaded(joining: Joining, url: string, path: string): Promise<boolean> {
  try {
    await download(joining, url, path)
    return true
  } catch (error) {
    if (!isOfConnection(error)) throw error
    joining.log
      .child('cluster')
      .warn({ error, url }, 'a copy of the data of another server broke off and is begun again')
    return false
  }
}

/** What `fetch` throws when it cannot connect, or the answer ends too early. */
const isOfConnection = (error: unknown): boolean => error instanceof TypeError

async function download({ config }: Joining, url: string, path: string): Promise<void> {
  const answer = await fetch(new URL('/cluster/copy', url), {
    headers: config.masterKey === null ? {} : { authorization: `Bearer ${config.masterKey}` },
  })
  if (!answer.ok || answer.body === null) {
    throw new LaunchError(
      `The server at ${url} gives no copy of its data (status ${answer.status}): do all servers of the cluster have the same master key?`,
    )
  }
  await rm(path, { force: true })
  const file = await open(path, 'w')
  try {
    for await (const piece of answer.body) await file.writeFile(piece)
  } finally {
    await file.close()
  }
}
