import { readFileSync } from 'node:fs'
import { bannerText, type Config, LaunchError, launchFacts, readConfig } from './config/index.js'
import type { Log } from './log/index.js'

/** What a shell reports for a process that a signal ended: 128 and the number of the signal. */
const ENDED_BY = { SIGINT: 130, SIGTERM: 143 } as const
type Signal = keyof typeof ENDED_BY

interface RunningServer {
  readonly url: string
  /** Answers the running requests, then stops. */
  close(): Promise<void>
}

process.on('uncaughtException', endUnexpectedly)
process.on('unhandledRejection', endUnexpectedly)
void main()

async function main(): Promise<void> {
  const [first, ...others] = process.argv.slice(2)
  if (first === 'cluster') return runClusterCommand(others)
  const readFile = (path: string) => readFileSync(path, 'utf8')
  const launch = await readConfig({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), readFile })
  switch (launch.kind) {
    case 'print':
      process.stdout.write(launch.text)
      return
    case 'refuse':
      return end(launch.message, launch.exitCode)
    case 'run':
      return run(launch.config, launch.warnings)
  }
}

async function runClusterCommand(argv: readonly string[]): Promise<void> {
  const { runClusterCommand: run } = await import('./commands/index.js')
  const { stdout, stderr, exitCode } = await run({ argv, env: process.env })
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = exitCode
}

async function run(config: Config, warnings: readonly string[], stopping = stopOnSignals()): Promise<void> {
  // Loaded only now, so that --help and refusals do not wait for them.
  const [{ createLog }, { startServer }] = await Promise.all([import('./log/index.js'), import('./server/index.js')])
  const log = createLog({ ...config.log, useColor: process.stderr.isTTY && !process.env.NO_COLOR })
  for (const warning of warnings) warn(config, log, warning)
  // A server of a cluster whose data are of no use any longer begins again, with those of another one.
  const onLost = (problem: Error, needsCopy: boolean): void => {
    const closed = stopping.now()
    if (needsCopy) void closed.then(() => run(config, [], stopping), endUnexpectedly)
    else void closed.finally(() => end(problem.message, 1))
  }
  try {
    const server: RunningServer = await startServer({ config, log, onLost })
    stopping.by(server)
    announce(config, log, server.url)
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    end(error.message, error.exitCode)
  }
}

interface Stopping {
  /** What a signal closes from now on. */
  by(server: RunningServer): void
  now(): Promise<void>
}

/**
 * The first signal closes the server, a second one ends the process at once. So does the first while the server is
 * still starting: nothing has been answered yet.
 */
function stopOnSignals(): Stopping {
  let server: RunningServer | null = null
  const stop = (signal: Signal) => {
    if (!server) process.exit(ENDED_BY[signal])
    const closing = server.close()
    server = null
    // Whoever asks a server to end with SIGTERM gets a success, as service managers expect.
    closing.then(() => process.exit(signal === 'SIGINT' ? ENDED_BY.SIGINT : 0), endUnexpectedly)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  return {
    by: (running) => (server = running),
    async now() {
      const running = server
      server = null
      await running?.close()
    },
  }
}

function warn(config: Config, log: Log, warning: string): void {
  if (config.log.mode === 'JSON') log.warn(warning)
  else process.stderr.write(`Warning: ${warning}\n`)
}

/** Lines to read, or one record where records are expected (spec 1 §6.6). */
function announce(config: Config, log: Log, url: string): void {
  const facts = launchFacts(config, url)
  if (config.log.mode === 'JSON') log.info(facts, 'ready')
  else process.stderr.write(bannerText(facts))
}

function end(message: string, exitCode: number): never {
  process.stderr.write(`findling: ${message}\n`)
  process.exit(exitCode)
}

/** One line with the place, for whoever has to find out. */
function endUnexpectedly(error: unknown): never {
  const [place = ''] = (error instanceof Error ? (error.stack ?? '') : '').match(/^ {4}at .*$/m) ?? []
  const what = String(error).replaceAll('\n', ' ')
  end(`unexpected failure: ${what}${place.replace('    at', ' at')}`, 1)
}
