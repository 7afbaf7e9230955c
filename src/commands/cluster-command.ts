import { Command, CommanderError } from 'commander'
import type { ClusterView } from '../server/index.js'
import { clusterText, isWell } from './cluster-text.js'

export interface CommandSurroundings {
  /** The arguments after `findling cluster`. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface CommandOutcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

const ANSWER_MS = 10_000

/** What the person at the terminal can do something about. */
class Refusal extends Error {}

/** Status 0: all is well; 1: it is not, or could not be told; 2: the command line is wrong. */
export async function runClusterCommand({ argv, env }: CommandSurroundings): Promise<CommandOutcome> {
  const printed: string[] = []
  let outcome: CommandOutcome | undefined
  const command = buildCommand(printed, env, async (options) => {
    outcome = await status(options)
  })
  try {
    await command.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message, 1)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0)
      return refused(
        error.message
          .replace(/^error: /, '')
          .split('\n')
          .join(' '),
        2,
      )
  }
  return outcome ?? { stdout: printed.join(''), stderr: '', exitCode: argv.length === 0 ? 2 : 0 }
}

const refused = (message: string, exitCode: number): CommandOutcome => ({
  stdout: '',
  stderr: `findling: ${message}\n`,
  exitCode,
})

interface StatusOptions {
  readonly url: string
  readonly apiKey?: string
}

function buildCommand(
  printed: string[],
  env: CommandSurroundings['env'],
  whenStatus: (options: StatusOptions) => Promise<void>,
): Command {
  const write = (text: string) => printed.push(text)
  const command = new Command('findling cluster')
    .description('Looks after the cluster that a running server belongs to.')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {} })
  command
    .command('status')
    .description(
      'Print members, positions and the health of the log. Ends with 1 if a server is not ready or the log has no majority.',
    )
    .option('--url <URL>', 'A server of the cluster', 'http://localhost:7700')
    .option('--api-key <KEY>', 'Key with the action cluster.get (default: FINDLING_MASTER_KEY)')
    .action(({ url, apiKey }: StatusOptions) => {
      const key = apiKey ?? env.FINDLING_MASTER_KEY ?? env.MEILI_MASTER_KEY
      return whenStatus({ url, ...(key !== undefined && { apiKey: key }) })
    })
  return command
}

async function status(options: StatusOptions): Promise<CommandOutcome> {
  const view = await ask(options)
  if (!view.enabled) throw new Refusal(`The server at ${options.url} belongs to no cluster.`)
  return { stdout: clusterText(view), stderr: '', exitCode: isWell(view) ? 0 : 1 }
}

async function ask({ url, apiKey }: StatusOptions): Promise<ClusterView | { readonly enabled: false }> {
  if (!URL.canParse(url)) throw new Refusal(`--url: expected an absolute URL, found ${JSON.stringify(url)}.`)
  const address = new URL('cluster', url.endsWith('/') ? url : `${url}/`)
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(ANSWER_MS) }).catch((error: Error) => {
    throw new Refusal(`No server answers at ${url} (${reasonOf(error)}): name one with --url.`)
  })
  if (answer.status === 401 || answer.status === 403)
    throw new Refusal(`The server at ${url} wants a key with the action cluster.get: give it with --api-key.`)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok || !isView(body))
    throw new Refusal(`The server at ${url} does not know what a cluster is (${answer.status}).`)
  return body
}

function isView(body: unknown): body is ClusterView | { readonly enabled: false } {
  return typeof body === 'object' && body !== null && 'enabled' in body
}

/** `fetch` hides why it failed in the cause. */
function reasonOf({ message, cause }: Error): string {
  return (cause as { code?: string } | undefined)?.code ?? message
}
