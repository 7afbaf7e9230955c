/**
 * Servers that share the documents of all indexes, and behave like one: so the player of the recorded conversations plays
 * them against a network with shards. Takes what a server takes on its command line, and `--shards 3`.
 *
 * The player kills what it has started. So this program is two: one that is killed, and one that notices and ends the servers.
 */
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Task } from '../../test/server.js'
import { likeOneServer, networkPath, splitFlags } from './like-one-server.js'
import { ShardNetwork } from './shard-network.js'

const INNER = '--inner'

function runInner(): void {
  const command = ['--import', 'tsx', import.meta.filename, INNER, ...process.argv.slice(2)]
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'inherit', 'inherit'] })
  child.once('exit', (code) => process.exit(code ?? 1))
}

async function serve(args: readonly string[]): Promise<void> {
  const { shards, address, masterKey, flags } = splitFlags(args)
  const started = ShardNetwork.start(shards, masterKey, flags)
  process.stdin.resume().once('end', async () => {
    await (await started).close()
    process.exit(0)
  })
  const front = started.then((network) => {
    process.once('exit', () => network.kill())
    return new Front(network, masterKey)
  })
  // The player waits less long for a server to start than for an answer.
  const answer = async (request: IncomingMessage, response: ServerResponse) =>
    request.url === '/health' ? response.end('{"status":"available"}') : (await front).answer(request, response)
  const [host, port] = address.split(':')
  createServer(answer).listen(Number(port), host)
}

/** Reads that any server answers for all of them. */
const READ = /^\/(?:indexes\/[^/]+\/(?:search|facet-search|similar|documents\/fetch)|multi-search)(?:\?|$)/
const LISTED = /^\/indexes\/[^/]+\/documents(?:\/[^/?]+)?(?:\?|$)/
const ENDS = new Set<unknown>(['succeeded', 'failed', 'canceled'])
const TASK = /^\/tasks\/(\d+)$/

class Front {
  private turn = 0

  constructor(
    private readonly network: ShardNetwork,
    private readonly masterKey: string | undefined,
  ) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const path = request.url!
    const { method = 'GET', headers } = request
    const { host, connection, 'content-length': _length, 'accept-encoding': _encoding, ...given } = headers
    const send = (server: ShardNetwork['leader']) =>
      server.request(method, networkPath(path), body.length === 0 ? undefined : body, {
        authorization: undefined,
        'content-type': undefined,
        ...given,
      })
    const servers = path.startsWith('/experimental-features')
      ? this.network.servers
      : [this.serverFor(method, path, given.authorization)]
    const [first] = await Promise.all(servers.map(send))
    const { status, text, body: answer, headers: told } = first!
    const elsewhere = method === 'GET' ? await this.tasksElsewhere(path, answer) : []
    response.writeHead(status, { 'content-type': told['content-type'] ?? 'application/json' })
    response.end(likeOneServer(path, text, elsewhere))
  }

  /** Who asks for a task that is done here wants it to be done elsewhere too. */
  private async tasksElsewhere(path: string, answer: Readonly<Record<string, unknown>>): Promise<readonly Task[]> {
    const [, uid] = TASK.exec(networkPath(path)) ?? []
    if (uid === undefined || !ENDS.has(answer?.status)) return []
    while (!(await this.network.isOver(Number(uid)))) await delay(5)
    return this.network.tasksElsewhere(Number(uid))
  }

  /** Keys beside the master key are those of the leader. */
  private serverFor(method: string, path: string, authorization: string | undefined): ShardNetwork['leader'] {
    const { servers, leader } = this.network
    const isRead = READ.test(path) || (method === 'GET' && LISTED.test(path))
    const isKnown = authorization === undefined || authorization === `Bearer ${this.masterKey}`
    return isRead && isKnown ? servers[this.turn++ % servers.length]! : leader
  }
}

if (process.argv[2] === INNER) await serve(process.argv.slice(3))
else runInner()
