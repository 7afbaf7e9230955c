import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LossListener } from '../cluster/index.js'
import { type Config, type HttpConfig, type ImportConfig, INTERFACE_VERSION, LaunchError } from '../config/index.js'
import { ok } from '../errors/index.js'
import type { Log } from '../log/index.js'
import type { FolderLock } from '../store/index.js'
import type { TaskQueue } from '../tasks/index.js'
import { memberRoutes } from './cluster/member-routes.js'
import { shardRoutes } from './cluster/shard-routes.js'
import {
  clearUnfinishedImport,
  endImport,
  inspectDataFolder,
  lockDataFolder,
  shouldImport,
  writeVersion,
} from './data-folder.js'
import { type App, createApp } from './http/app.js'
import { addressesOf } from './http/listeners.js'
import { type OpenedContext, type OpenOptions, openContext } from './open-context.js'
import { routeTable } from './route-table.js'
import type { Tls } from './tls.js'

/**
 * Connections that wait to be accepted; the system may hold fewer. Beyond them a client hears nothing and tries again
 * after a second or more, so a burst of clients must fit in.
 */
const BACKLOG = 4096

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Answers what is running, then closes everything. */
  close(): Promise<void>
}

/** Opens the data folder and listens. Throws a `LaunchError` when the launch is at fault. */
export async function startServer(launch: Launch): Promise<RunningServer> {
  const { dbPath, backups, http } = launch.config
  // Loaded for whoever wants it only: other starts are quicker without it.
  const tls = http.tls && (await import('./tls.js')).openTls(http.tls)
  const lock = lockDataFolder(dbPath, backups)
  try {
    return await startLocked(launch, tls, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

interface Launch {
  readonly config: Config
  readonly log: Log
  /** Hears that a server of a cluster cannot go on. */
  readonly onLost?: LossListener
}

async function startLocked(launch: Launch, tls: Tls | null, lock: FolderLock): Promise<RunningServer> {
  const nats = await startNats(launch)
  try {
    const { close, ...server } = await startWithLog(launch, tls)
    const end = async () => {
      await close()
      await nats?.stop()
    }
    return { ...server, close: once(() => end().finally(() => lock.release())) }
  } catch (error) {
    await nats?.stop()
    throw error
  }
}

/** Loaded for whoever wants it only. */
async function startNats({ config, log }: Launch): Promise<{ stop(): Promise<void> } | undefined> {
  if (config.cluster === null) return undefined
  const { startChildNats } = await import('./cluster/child-nats.js')
  return startChildNats(config, log)
}

async function startWithLog({ config, log, onLost }: Launch, tls: Tls | null): Promise<RunningServer> {
  const preparation = await joinCluster({ config, log }, prepareDataFolder(config))
  const closing = new AbortController()
  const opened = await openPrepared({ config, log, closing: closing.signal, ...(onLost && { onLost }) }, preparation)
  const routes = config.cluster === null ? routeTable : [...routeTable, ...memberRoutes, ...shardRoutes]
  const app = createApp(opened.context, routes, tls)
  await opened.prepare()
  const port = await listen(app, config.http).catch(async (error: unknown) => {
    await close({ app, opened, closing })
    throw error
  })
  // Not before: whoever waits for the port does not wait for them.
  opened.start()
  return { url: urlOf(config.http, port), port, close: () => close({ app, opened, closing }) }
}

/** A server of a cluster may have to begin with the data of another one. */
async function joinCluster({ config, log }: Launch, preparation: Preparation): Promise<Preparation> {
  const { cluster, dbPath } = config
  if (cluster === null) return preparation
  const { copyToJoinWith } = await import('./cluster/join-cluster.js')
  const path = await copyToJoinWith({ config, cluster, log, isEmpty: !existsSync(join(dbPath, 'tasks')) })
  if (path === undefined) return preparation
  const wanted = { kind: 'snapshot', path, ignoreMissing: false, ignoreIfDbExists: false } as const
  return { wanted, upgradeFrom: null, isCopy: true }
}

interface Preparation {
  /** What has to be imported first, if anything. */
  readonly wanted: ImportConfig | null
  /** The older version whose data must be upgraded, or null. */
  readonly upgradeFrom: string | null
  /** What is imported was downloaded for this start. */
  readonly isCopy?: boolean
}

function prepareDataFolder({ dbPath, backups }: Config): Preparation {
  const { isEmpty, upgradeFrom } = inspectDataFolder(dbPath, { upgradeInPlace: backups.upgradeInPlace })
  const isWanted = backups.import && shouldImport({ path: dbPath, isEmpty }, backups.import)
  if (isWanted) return { wanted: backups.import, upgradeFrom: null }
  clearUnfinishedImport(dbPath)
  if (isEmpty) writeVersion(dbPath)
  return { wanted: null, upgradeFrom }
}

/** A snapshot of an older version is upgraded without being asked to (spec 2 §7). */
async function openPrepared(
  options: OpenOptions,
  { wanted, upgradeFrom, isCopy }: Preparation,
): Promise<OpenedContext> {
  // What imports need is loaded for them only: other starts are quicker without it.
  if (wanted?.kind === 'dump') {
    const { openFromDump } = await import('./open-from-dump.js')
    return openFromDump(options, wanted.path)
  }
  if (wanted?.kind === 'snapshot') {
    const { restoreSnapshot } = await import('./backup/restore-snapshot.js')
    const opened = await openUpgraded(options, await restoreSnapshot(options.config, wanted.path))
    // Not before: a crash must not leave a folder of an older version, which only starts when an upgrade is asked for.
    endImport(options.config.dbPath)
    if (isCopy) await rm(wanted.path, { force: true })
    return opened
  }
  return openUpgraded(options, upgradeFrom)
}

/** The task first: a crash in between leaves a folder that is upgraded at the next start, by the same task. */
async function openUpgraded(options: OpenOptions, from: string | null): Promise<OpenedContext> {
  const opened = await openContext(options)
  if (from === null) return opened
  const { tasks } = opened.context
  const task = isUpgradeWaiting(tasks, from)
    ? ok(null)
    : await tasks.enqueue({ type: 'upgradeDatabase', from, to: INTERFACE_VERSION })
  if (!task.ok) {
    await opened.close()
    throw new LaunchError(`The upgrade of ${options.config.dbPath} cannot begin: ${task.failure.message}`)
  }
  writeVersion(options.config.dbPath)
  return opened
}

function isUpgradeWaiting({ store }: TaskQueue, from: string): boolean {
  const waiting = store.withStatus('enqueued').and(store.withType('upgradeDatabase'))
  return waiting.toArray().some((uid) => {
    const content = store.get(uid)?.content
    return content?.type === 'upgradeDatabase' && content.from === from && content.to === INTERFACE_VERSION
  })
}

async function listen(app: App, { host, port }: HttpConfig): Promise<number> {
  try {
    return await app.listen({ addresses: await addressesOf(host), port, backlog: BACKLOG })
  } catch (cause) {
    throw new LaunchError(`Cannot listen on ${bracketed(host)}:${port}: ${listenProblem(cause)}.`, { cause })
  }
}

function listenProblem(error: unknown): string {
  const code = (error as { code?: string }).code
  if (code === 'EADDRINUSE') return 'the port is in use'
  if (code === 'EACCES') return 'the port may not be used by this user'
  if (code === 'EADDRNOTAVAIL') return 'the address does not belong to this machine'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name does not resolve to an address'
  return 'the system refused'
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function urlOf({ tls, host }: HttpConfig, port: number): string {
  return `${tls ? 'https' : 'http'}://${bracketed(host)}:${port}`
}

interface Running {
  readonly app: App
  readonly opened: OpenedContext
  readonly closing: AbortController
}

async function close({ app, opened, closing }: Running): Promise<void> {
  closing.abort()
  await app.close()
  await opened.close()
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
