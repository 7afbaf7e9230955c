import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { LaunchError, readConfig } from '../config/index.js'
import { type Asked, askForStatus, askToRemove, Refusal } from './ask-server.js'
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

/** Status 0: all is well; 1: it is not, or could not be told; 2: the command line is wrong. */
export async function runClusterCommand({ argv, env }: CommandSurroundings): Promise<CommandOutcome> {
  const printed: string[] = []
  let outcome: CommandOutcome | undefined
  const command = buildCommand(printed, env, async (work) => {
    outcome = await work()
  })
  try {
    await command.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof Refusal || error instanceof LaunchError) return refused(error.message, 1)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) return refused(error.message.replace(/^error: /, '').replaceAll('\n', ' '), 2)
  }
  return outcome ?? { stdout: printed.join(''), stderr: '', exitCode: argv.length === 0 ? 2 : 0 }
}

const refused = (message: string, exitCode: number): CommandOutcome => ({
  stdout: '',
  stderr: `findling: ${message}\n`,
  exitCode,
})

const said = (stdout: string, exitCode = 0): CommandOutcome => ({ stdout, stderr: '', exitCode })

type Run = (work: () => Promise<CommandOutcome>) => Promise<void>

interface ServerOptions {
  readonly url: string
  readonly apiKey?: string
}

function buildCommand(printed: string[], env: CommandSurroundings['env'], run: Run): Command {
  const command = new Command('findling cluster')
    .description('Looks after a cluster of servers with the same data.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => {} })
  const asked = ({ url, apiKey }: ServerOptions): Asked => {
    const key = apiKey ?? env.FINDLING_MASTER_KEY ?? env.MEILI_MASTER_KEY
    return { url, ...(key !== undefined && { apiKey: key }) }
  }
  ofServer(command.command('status'), 'Key with the action cluster.get')
    .description(
      'Print members, positions and the health of the log. Ends with 1 if a server is not ready or the log has no majority.',
    )
    .action((options: ServerOptions) => run(() => status(asked(options))))
  ofServer(command.command('remove-member <NAME>'), 'The master key')
    .description('Let the log no longer wait for a server that is not going to come back.')
    .action((name: string, options: ServerOptions) => run(() => removeMember(asked(options), name)))
  command
    .command('recover')
    .description(
      'Make a new log that goes on where the data of this server end: for a cluster whose log is lost, or a server that is to become a cluster. Takes the options of the server, which must not be running.',
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action((_, { args }: Command) => run(() => recover(args, env)))
  return command
}

const ofServer = (command: Command, key: string): Command =>
  command
    .option('--url <URL>', 'A server of the cluster', 'http://localhost:7700')
    .option('--api-key <KEY>', `${key} (default: FINDLING_MASTER_KEY)`)

async function status(asked: Asked): Promise<CommandOutcome> {
  const view = await askForStatus(asked)
  return said(clusterText(view), isWell(view) ? 0 : 1)
}

async function removeMember(asked: Asked, name: string): Promise<CommandOutcome> {
  await askToRemove(asked, name)
  return said(`The cluster does not wait for "${name}" any more.\n`)
}

async function recover(argv: readonly string[], env: CommandSurroundings['env']): Promise<CommandOutcome> {
  const readFile = (path: string) => readFileSync(path, 'utf8')
  const launch = await readConfig({ argv, env, cwd: process.cwd(), readFile })
  if (launch.kind === 'refuse') return refused(launch.message, 2)
  if (launch.kind === 'print') return said(launch.text)
  const { recoverLog } = await import('../server/index.js')
  const { cluster, firstSequence } = await recoverLog(launch.config)
  return said(
    `The cluster "${cluster}" has a new log, which begins at ${firstSequence}. Start this server first, then the others.\n`,
  )
}
