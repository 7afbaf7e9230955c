import { gzipSync } from 'node:zlib'
import { seededRandom } from '../../test/random.js'
import { type Task, TestServer } from '../../test/server.js'
import { deadlineOf, failWith, type Part } from './part.js'

const LIMIT_BYTES = 10_000_000

interface Body {
  readonly name: string
  readonly path: string
  readonly method?: string
  readonly body: string | Buffer
  readonly headers?: Record<string, string>
}

/** Deep enough to end a parser that calls itself. */
const SHORT_SIZE = 0.05

const DOCUMENTS = '/indexes/a/documents'
const SEARCH = '/indexes/a/search'

const nested = (depth: number, open: string, middle: string, close: string): string =>
  open.repeat(depth) + middle + close.repeat(depth)

/** Bodies of the kinds that break parsers. `size`: between 0 and 1. */
function bodiesOf(size: number): Body[] {
  const depth = Math.round(100 + size * 400_000)
  const length = Math.round(1000 + size * 8_000_000)
  const many = Math.round(100 + size * 300_000)
  const deepList = nested(depth, '[', '', ']')
  const deepObject = nested(depth, '{"a":', '1', '}')
  return [
    { name: 'a deep list in a document', path: DOCUMENTS, body: `[{"id":1,"a":${deepList}}]` },
    { name: 'a deep object in a document', path: DOCUMENTS, body: `[{"id":1,"a":${deepObject}}]` },
    { name: 'a deep list that never ends', path: DOCUMENTS, body: '['.repeat(depth) },
    { name: 'a deep list instead of a search', path: SEARCH, body: deepList },
    { name: 'a deep filter', path: SEARCH, body: `{"filter":${deepList}}` },
    { name: 'a filter of brackets', path: SEARCH, body: JSON.stringify({ filter: nested(depth, '(', 'a=1', ')') }) },
    { name: 'a filter of negations', path: SEARCH, body: JSON.stringify({ filter: `${'NOT '.repeat(depth)}a=1` }) },
    {
      name: 'a filter of alternatives',
      path: SEARCH,
      body: JSON.stringify({ filter: 'a=1 OR '.repeat(many) + 'a=1' }),
    },
    { name: 'a deep setting', path: '/indexes/a/settings', method: 'PATCH', body: `{"synonyms":${deepObject}}` },
    { name: 'deep settings', path: '/indexes/a/settings', method: 'PATCH', body: deepObject },
    { name: 'a long text', path: DOCUMENTS, body: `[{"id":1,"a":"${'x'.repeat(length)}"}]` },
    { name: 'a text of many words', path: DOCUMENTS, body: `[{"id":1,"a":"${'word '.repeat(length / 5)}"}]` },
    { name: 'a long name', path: DOCUMENTS, body: `[{"id":1,"${'x'.repeat(length)}":1}]` },
    { name: 'a long id', path: DOCUMENTS, body: `[{"id":"${'x'.repeat(length)}"}]` },
    { name: 'a long number', path: DOCUMENTS, body: `[{"id":1,"a":${'9'.repeat(length)}}]` },
    { name: 'many members', path: DOCUMENTS, body: `[{"id":1${numbered(many, (i) => `,"a${i}":${i}`)}}]` },
    { name: 'the same member again and again', path: DOCUMENTS, body: `[{"id":1${',"a":1'.repeat(many)}}]` },
    { name: 'many blanks', path: DOCUMENTS, body: `[${' '.repeat(length)}{"id":1}]` },
    { name: 'a long query', path: SEARCH, body: JSON.stringify({ q: 'x'.repeat(length) }) },
    { name: 'a query of many words', path: SEARCH, body: JSON.stringify({ q: 'word '.repeat(length / 5) }) },
    { name: 'many queries', path: '/multi-search', body: `{"queries":[${list(many / 20, '{"indexUid":"a"}')}]}` },
    { name: 'many ids to delete', path: `${DOCUMENTS}/delete-batch`, body: `[${numbered(many, (i) => `${i},`)}0]` },
    { name: 'more than the limit', path: DOCUMENTS, body: `[{"id":1,"a":"${'x'.repeat(LIMIT_BYTES)}"}]` },
    { name: 'much in little', path: DOCUMENTS, body: bomb(length * 20), headers: { 'content-encoding': 'gzip' } },
    { name: 'half of a gzip file', path: DOCUMENTS, body: halfOf(length), headers: { 'content-encoding': 'gzip' } },
    { name: 'a line without end', path: DOCUMENTS, body: `{"id":"${'x'.repeat(length)}`, headers: type('x-ndjson') },
    { name: 'many columns', path: DOCUMENTS, body: `id${numbered(many, (i) => `,c${i}`)}\n1\n`, headers: csv },
    { name: 'a quote without end', path: DOCUMENTS, body: `id,a\n1,"${'x\n'.repeat(length / 2)}`, headers: csv },
    { name: 'bytes that are no text', path: DOCUMENTS, body: Buffer.alloc(length, 0xff) },
    { name: 'zeros', path: SEARCH, body: Buffer.alloc(length) },
  ]
}

const csv = { 'content-type': 'text/csv' }
const type = (name: string) => ({ 'content-type': `application/${name}` })
const list = (count: number, entry: string): string => Array.from({ length: Math.ceil(count) }, () => entry).join()
const numbered = (count: number, entry: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => entry(i)).join('')
const bomb = (bytes: number): Buffer => gzipSync(Buffer.alloc(bytes, 'x'), { level: 9 })
const halfOf = (bytes: number): Buffer => bomb(bytes).subarray(0, 200)

/** Huge and deeply nested bodies: each is taken or refused with a code of its own, and the server goes on. */
export const hugeBodies: Part = async (options) => {
  const random = seededRandom(options.seed)
  const deadline = deadlineOf(options)
  const server = await TestServer.start({ flags: ['--http-payload-size-limit', String(LIMIT_BYTES)] })
  const problems: string[] = []
  let sent = 0
  let slowest = { name: '', ms: 0 }
  try {
    await server.request('POST', DOCUMENTS, [{ id: 0 }])
    do {
      for (const body of bodiesOf(options.isShort ? SHORT_SIZE : random() ** 2)) {
        const began = performance.now()
        const problem = await problemOf(server, body)
        const ms = performance.now() - began
        if (ms > slowest.ms) slowest = { name: body.name, ms }
        if (problem !== undefined) problems.push(`${body.name}: ${problem}`)
        options.progress(`${++sent} bodies`)
        if (!server.isRunning) throw new Error(`${body.name} ended the server: ${server.log}`)
      }
    } while (performance.now() < deadline)
    failWith(problems)
    return `${sent} bodies taken or refused; the slowest (${slowest.name}) took ${slowest.ms.toFixed(0)} ms`
  } finally {
    await server.close()
  }
}

interface Accepted {
  readonly taskUid: number
}

async function problemOf(
  server: TestServer,
  { path, method = 'POST', body, headers }: Body,
): Promise<string | undefined> {
  try {
    const { status, text, body: answer } = await server.request<Accepted>(method, path, body, headers)
    if (status >= 500) return `answered ${status} ${text.slice(0, 200)}`
    if (status === 202) return taskProblem(await server.waitTask(answer.taskUid))
    if (status >= 400 && !text.includes('"code"')) return `refused without a code: ${status} ${text.slice(0, 200)}`
  } catch (error) {
    // A body beyond the limit may be refused while it is still being sent.
    const { code } = error as NodeJS.ErrnoException
    const isRefused = (code === 'EPIPE' || code === 'ECONNRESET') && body.length > LIMIT_BYTES
    if (!isRefused) return `failed with ${error}`
  }
  return undefined
}

/** What a document must not be, although its request was taken (spec 3 §2.9). */
const KNOWN_REASON = /nested more than 127 levels|a number is too large/

function taskProblem({ status, error }: Task): string | undefined {
  const text = JSON.stringify(error)
  const isSurprise = status === 'failed' && error?.code === 'internal' && !KNOWN_REASON.test(text)
  return isSurprise ? `its task failed: ${text}` : undefined
}
