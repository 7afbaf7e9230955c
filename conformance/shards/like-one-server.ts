import type { Task } from '../../test/server.js'

/** The leader begins with the task of the network itself. */
const TASKS_BEFORE = 1

export const networkPath = (path: string): string =>
  path.replace(/^\/tasks\/(\d+)/, (_, uid) => `/tasks/${Number(uid) + TASKS_BEFORE}`)

/** What each server counts of the documents that are its own. */
const COUNTED = ['indexedDocuments', 'deletedDocuments', 'editedDocuments']

/**
 * Left out is what only tells that there is a network: numbers of tasks begin with 0, `network` of tasks, `_federation` of hits
 * whose search was none of several, `remote` of the others, `remoteErrors` without an error, and the feature that is on.
 * What the tasks of other servers have counted is added to that of the leader.
 */
export function likeOneServer(path: string, text: string, elsewhere: readonly Task[]): string {
  const answer = parsed(text)
  if (!isRecord(answer)) return text
  if (typeof answer.taskUid === 'number') answer.taskUid -= TASKS_BEFORE
  if (path.startsWith('/tasks/')) withoutNetwork(answer, elsewhere)
  if (path.startsWith('/experimental-features') && answer.network === true) answer.network = false
  for (const result of [answer, ...listOf(answer.results)]) withoutServers(result)
  return JSON.stringify(answer)
}

type Members = Record<string, unknown>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isRecord) : [])

function withoutNetwork(task: Members, elsewhere: readonly Task[]): void {
  for (const [name, count] of Object.entries(isRecord(task.details) ? task.details : {})) {
    if (!COUNTED.includes(name) || typeof count !== 'number') continue
    const others = elsewhere.map(({ details }) => (isRecord(details) ? Number(details[name]) : 0))
    Object.assign(task.details as Members, { [name]: others.reduce((sum, each) => sum + each, count) })
  }
  if (typeof task.uid === 'number') task.uid -= TASKS_BEFORE
  delete task.network
}

function withoutServers(result: Members): void {
  if (isRecord(result.remoteErrors) && Object.keys(result.remoteErrors).length === 0) delete result.remoteErrors
  // The result of one search names its query, that of several does not.
  const isOfOne = 'query' in result
  for (const hit of listOf(result.hits)) {
    if (isOfOne) delete hit._federation
    else if (isRecord(hit._federation)) delete hit._federation.remote
  }
}

/** The command line of one server, and what each of several needs of it. */
export interface SplitFlags {
  readonly shards: number
  readonly address: string
  readonly masterKey: string | undefined
  readonly flags: readonly string[]
}

/** Each server has these for itself. */
const OWN_FLAGS = new Set([
  '--db-path',
  '--dump-dir',
  '--snapshot-dir',
  '--log-level',
  '--experimental-allowed-ip-networks',
])

export function splitFlags(args: readonly string[]): SplitFlags {
  const known = new Map<string, string>()
  const flags: string[] = []
  for (let i = 0; i < args.length; i++) {
    const name = args[i]!
    if (name === '--no-analytics') continue
    if (name === '--http-addr' || name === '--master-key' || name === '--shards') known.set(name, args[++i]!)
    else if (OWN_FLAGS.has(name)) i++
    else flags.push(name)
  }
  return {
    shards: Number(known.get('--shards')),
    address: known.get('--http-addr')!,
    masterKey: known.get('--master-key'),
    flags,
  }
}
