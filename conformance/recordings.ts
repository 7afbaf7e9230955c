/** Where the recordings lie, what is needed to play them, and how their player is called. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const project = join(import.meta.dirname, '..')
export const recordings = join(project, '..', 'shared', 'conformance')

interface Place {
  readonly recordings: string
  readonly isCi: boolean
}

const here: Place = { recordings, isCi: process.env.CI !== undefined }

/**
 * The exit code for a run that cannot take place, or undefined when everything needed is there. A person without the
 * recordings is told so and goes on; in CI their absence is a failure, since a green run would have compared nothing.
 */
export function exitCodeWithoutRecordings(name: string, place: Place = here): number | undefined {
  if (!existsSync(place.recordings)) {
    const missing = `${name}: the recordings (../shared/conformance) are not here`
    if (place.isCi) console.error(`${missing}, and CI has to compare with them`)
    else console.log(`${missing}; nothing was compared`)
    return place.isCi ? 1 : 0
  }
  if (existsSync(join(project, 'dist', 'cli.js'))) return undefined
  console.error(`${name}: there is no dist/cli.js, run \`npm run build\` first`)
  return 1
}

/** The built server, and the built library behind a few routes. */
const SERVER = 'node dist/cli.js'
export const ENGINE_SERVER = 'node --import tsx conformance/engine-server.ts'
export const shardServers = (count: string): string => `node --import tsx conformance/shards/front.ts --shards ${count}`

/** Runs one of the players of the recordings against a server. Returns what it printed and the report it wrote. */
export function runPlayer<Report>(
  player: string,
  options: readonly string[],
  server = SERVER,
): { printed: string; report: Report } {
  const folder = mkdtempSync(join(tmpdir(), 'findling-conformance-'))
  const reportFile = join(folder, 'report.json')
  const command = [join(recordings, player), '--server', server, '--report', reportFile, ...options]
  try {
    const { status, stdout } = spawnSync('node', command, {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (!existsSync(reportFile)) throw new Error(`${player} ended with status ${status} before its report`)
    return { printed: stdout, report: readJson(reportFile) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T
}
