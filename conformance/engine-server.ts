/**
 * The few routes that the recorded rankings need, answered by `findling/engine`: so the same program that compares the
 * server with them compares the library. Takes `--db-path` and `--http-addr` as the server does.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EngineError, type Index, openIndex } from 'findling/engine'

const { values: flags } = parseArgs({
  options: { 'db-path': { type: 'string', default: '' }, 'http-addr': { type: 'string', default: '' } },
  strict: false,
})
const [host, port] = String(flags['http-addr']).split(':')

/** What is sent to the routes, as it is. */
// biome-ignore lint/suspicious/noExplicitAny: the recordings hold whatever requests hold.
type Body = any

const indexes = new Map<string, Index>()
const DONE = { taskUid: 0 }

const routes: Record<string, (uid: string, body: Body) => Promise<unknown>> = {
  'GET /health': async () => ({ status: 'available' }),
  'GET /tasks/0': async () => ({ status: 'succeeded' }),
  async 'POST /indexes'(_, { uid, primaryKey }) {
    indexes.set(uid, await openIndex(join(String(flags['db-path']), uid), { primaryKey }))
    return DONE
  },
  async 'PATCH /indexes/*/settings'(uid, body) {
    await indexes.get(uid)!.updateSettings(body)
    return DONE
  },
  async 'POST /indexes/*/documents'(uid, body) {
    await indexes.get(uid)!.addDocuments(body)
    return DONE
  },
  'POST /indexes/*/search': (uid, body) => indexes.get(uid)!.search(body),
}

createServer(async (request, response) => {
  const [, first, uid = '', last] = request.url!.split('/')
  const path = first === 'indexes' && last !== undefined ? `/indexes/*/${last}` : request.url!
  try {
    const answer = await routes[`${request.method} ${path}`]!(uid, await bodyOf(request))
    response.end(JSON.stringify(answer))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    response.writeHead(400).end(JSON.stringify({ code: error.code, message: error.message }))
  }
}).listen(Number(port), host)

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
