import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FolderInUse, type FolderLock, lockFolder } from '../../store/index.js'

/** What is built when there is none. */
const VERSION = '2.15.2'
const OLDEST: readonly [major: number, minor: number] = [2, 15]

const POLL_MS = 200

const BINARY = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server'

/** No nats-server here, and none could be built. */
export class NatsServerMissing extends Error {
  constructor(why: string) {
    super(
      `${why}: install nats-server ${OLDEST.join('.')} or later on the path or name it in FINDLING_NATS_SERVER, or install Go to have it built.`,
    )
    this.name = 'NatsServerMissing'
  }
}

/**
 * The path of a nats-server that is new enough: that of `--cluster-nats-bin` or FINDLING_NATS_SERVER, on the path, from the
 * user's cache, or built into the cache by Go, which takes a minute or two and reports to stderr.
 */
export async function findNatsServer(
  environment: NodeJS.ProcessEnv = process.env,
  binPath: string | null = null,
): Promise<string> {
  if (binPath !== null) return requireNewEnough(binPath, '--cluster-nats-bin')
  const { FINDLING_NATS_SERVER: named, PATH = '' } = environment
  if (named) return requireNewEnough(named, 'FINDLING_NATS_SERVER')
  const cached = join(systemCache(environment), 'findling', `nats-server-${VERSION}`, BINARY)
  const onPath = PATH.split(delimiter).map((folder) => join(folder, BINARY))
  const present = [...onPath, cached].find(isNewEnough)
  if (present !== undefined) return present
  await buildOnce(cached, environment)
  if (!isNewEnough(cached)) throw new NatsServerMissing('There is no nats-server and Go could not build one')
  return cached
}

function requireNewEnough(binary: string, namedBy: string): string {
  if (isNewEnough(binary)) return binary
  throw new NatsServerMissing(`${namedBy} names no nats-server that is new enough (${binary})`)
}

function isNewEnough(binary: string): boolean {
  if (!existsSync(binary)) return false
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /v(\d+)\.(\d+)\./.exec(stdout ?? '') ?? []
  if (major === undefined) return false
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1])
}

function systemCache({ XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  if (process.platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local')
  return XDG_CACHE_HOME || join(homedir(), '.cache')
}

/** Of several processes that need one at the same time the first builds it; the others wait for it. */
async function buildOnce(binary: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const lock = await waitForFolder(dirname(binary))
  try {
    if (!isNewEnough(binary)) await build(dirname(binary), environment)
  } finally {
    lock.release()
  }
}

async function waitForFolder(folder: string): Promise<FolderLock> {
  for (;;) {
    try {
      return lockFolder(folder)
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      await sleep(POLL_MS)
    }
  }
}

async function build(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  process.stderr.write(`Building nats-server ${VERSION} with Go, once, into ${folder}\n`)
  const module = `github.com/nats-io/nats-server/v2@v${VERSION}`
  const env = { ...environment, GOBIN: folder, CGO_ENABLED: '0' }
  // Go names each package that it has compiled.
  const go = spawn('go', ['install', '-v', module], { env, stdio: ['ignore', process.stderr, process.stderr] })
  await once(go, 'close').catch(() => {})
}
