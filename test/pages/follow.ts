import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Step } from './page.js'

const project = join(import.meta.dirname, '..', '..')
const SEPARATOR = '\u001e'
const LIMIT_MS = 120_000

/** What came of it. */
export interface Outcome {
  /** By each step. */
  readonly printed: readonly string[]
  /** The answer of the server about tasks that failed, behind the last step; empty without a server. */
  readonly failedTasks: string
}

/** Does what a page says, in order, in a folder and on ports of its own. */
export async function followPage(page: Page): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'findling-page-'))
  try {
    const ports = await freePorts(page)
    prepare(folder, page, ports)
    const parts = await bash(folder, scriptOf(page, ports), ports)
    const printed = page.steps.map((_, i) => withoutPorts(parts[i * 2 + 1] ?? '', ports))
    return { printed, failedTasks: parts.at(-1)!.trim() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `findling` is on the path and can be imported, as after `npm install findling`. */
function prepare(folder: string, { files }: Page, ports: Ports): void {
  for (const name of ['bin', 'node_modules']) mkdirSync(join(folder, name))
  symlinkSync(join(project, 'dist', 'cli.js'), join(folder, 'bin', 'findling'))
  symlinkSync(project, join(folder, 'node_modules', 'findling'))
  for (const name of ['meilisearch', 'openai', 'jose', 's3rver'])
    symlinkSync(join(project, 'node_modules', name), join(folder, 'node_modules', name))
  for (const { name, code } of files) writeFileSync(join(folder, name), withPorts(code, ports))
}

/** The addresses on a page are those that a reader has free; here each port stands for another one. */
type Ports = ReadonlyMap<string, number>

const ADDRESS = /(localhost|127\.0\.0\.1):(\d{4,5})/g
const MAIN_PORT = '7700'

async function freePorts({ text }: Page): Promise<Ports> {
  const named = new Set([MAIN_PORT, ...[...text.matchAll(ADDRESS)].map(([, , port = '']) => port)])
  const ports = new Map<string, number>()
  for (const port of named) ports.set(port, await freePort())
  return ports
}

const withPorts = (text: string, ports: Ports): string =>
  text.replaceAll(ADDRESS, (_, host: string, port: string) => `${host}:${ports.get(port)}`)

function withoutPorts(text: string, ports: Ports): string {
  const names = new Map([...ports].map(([name, port]) => [String(port), name]))
  return text.replaceAll(ADDRESS, (whole, host: string, port: string) =>
    names.has(port) ? `${host}:${names.get(port)}` : whole,
  )
}

/** Tasks go on while people read; a program has to wait for them. */
const PRELUDE = `
exec 2>&1
# Without a terminal curl would draw its progress.
curl() { command curl -sS "$@"; }
ask() { command curl -s \${FINDLING_MASTER_KEY:+-H "Authorization: Bearer $FINDLING_MASTER_KEY"} "$1"; }
settle() {
  for server in $SERVERS; do
    for _ in $(seq 1200); do
      case "$(ask "$server/tasks?limit=1&statuses=enqueued,processing")" in *'"total":'[1-9]*) sleep 0.05;; *) break;; esac
    done
  done
}
start() {
  if [ -n "$SERVER" ]; then kill "$SERVER" 2> /dev/null; wait "$SERVER"; fi
  "$@" > server.log 2>&1 &
  SERVER=$!
  until command curl -sf "$MAIN/health" > health.json; do
    if ! kill -0 "$SERVER" 2> /dev/null; then cat server.log; break; fi
    sleep 0.05
  done
}
# Until a program in the background listens, on one of the ports that are not the server's.
listening() {
  for _ in $(seq 200); do
    for port in $OTHERS; do if (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then return; fi; done
    sleep 0.05
  done
}
trap '[ -z "$(jobs -p)" ] || kill $(jobs -p); wait' EXIT
`

function scriptOf({ steps }: Page, ports: Ports): string {
  const parts = steps.map((step) => `printf '${SEPARATOR}'\n${shellOf(step, ports)}\nprintf '${SEPARATOR}'\nsettle\n`)
  return `${PRELUDE}${parts.join('')}printf '${SEPARATOR}'\nask "$MAIN/tasks?limit=3&statuses=failed"\n`
}

/**
 * A clone has `npm start` and `npm run example`; a server that is started takes the place of the one before. Whoever
 * follows a page has installed and built, and may be one of the tests.
 */
function shellOf({ command }: Step, ports: Ports): string {
  const here = withPorts(command, ports)
    .replace(/^npm ci && npm run build && /, '')
    .replace(/^npm ci && npm test$/, ':')
    .replace(/^npm start(?: -- ?)?/m, 'findling ')
    .replaceAll('npm run example', `(cd ${project} && npx tsx scripts/example.ts --url "$MAIN")`)
  // What programs in the background say comes at any time, and belongs to no step.
  return here
    .replace(/ &$/m, ' > background.log 2>&1 &\nlistening')
    .replace(/^findling(?= |$)(?!.* &)(?! --(?:version|help))/m, 'start findling')
}

function bash(folder: string, script: string, ports: Ports): Promise<readonly string[]> {
  const address = `127.0.0.1:${ports.get(MAIN_PORT)}`
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env: {
      HOME: folder,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      MAIN: `http://${address}`,
      OTHERS: [...ports].flatMap(([name, port]) => (name === MAIN_PORT ? [] : port)).join(' '),
      // By their usual ports, 7700 and the next ones; other ports are of other programs.
      SERVERS: [...ports]
        .flatMap(([name, port]) => (name.startsWith('77') ? `http://127.0.0.1:${port}` : []))
        .join(' '),
      FINDLING_HTTP_ADDR: address,
      FINDLING_LOG_LEVEL: 'ERROR',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: whatever the page started can be ended with it.
    detached: true,
  })
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LIMIT_MS)
  let printed = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    printed += chunk
  })
  return new Promise((resolve) =>
    child.once('close', () => {
      clearTimeout(timer)
      resolve(printed.split(SEPARATOR))
    }),
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
