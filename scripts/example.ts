/**
 * Loads the example films into a running server, with settings that fit, and says what to try.
 *
 *   npm run example
 *   npm run example -- --url http://127.0.0.1:7701 --key MASTER_KEY
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

const INDEX = 'films'
const SETTINGS = {
  searchableAttributes: ['title', 'cast'],
  filterableAttributes: ['genres', 'year'],
  sortableAttributes: ['year'],
}
const FILMS_PER_POST = 5_000
const POLL_MS = 50

const { values: flags } = parseArgs({
  options: { url: { type: 'string', default: 'http://127.0.0.1:7700' }, key: { type: 'string' } },
})
const url = flags.url.replace(/\/+$/, '')

/** What the person at the terminal can do something about. */
class Refusal extends Error {}

try {
  await load()
  console.log(thingsToTry())
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function load(): Promise<void> {
  const films = JSON.parse(
    gunzipSync(readFileSync(join(import.meta.dirname, '..', 'examples', 'films.json.gz'))).toString(),
  ) as readonly object[]
  const started = performance.now()
  // Settings first: a change of settings indexes again what is there already.
  const settings = await enqueue('PATCH', `/indexes/${INDEX}/settings`, SETTINGS)
  const posts: { readonly task: number; readonly count: number }[] = []
  for (let count = 0; count < films.length; ) {
    const some = films.slice(count, (count += FILMS_PER_POST))
    posts.push({ task: await enqueue('POST', `/indexes/${INDEX}/documents?primaryKey=id`, some), count })
  }
  console.log(`sent ${films.length} films in ${posts.length} requests`)
  await finished(settings)
  for (const { task, count } of posts) {
    await finished(task)
    console.log(`indexed ${Math.min(count, films.length)}`)
  }
  const seconds = (performance.now() - started) / 1000
  console.log(`${films.length} films are in the index "${INDEX}", after ${seconds.toFixed(1)} s`)
}

async function enqueue(method: string, path: string, body: object): Promise<number> {
  return (await send<{ taskUid: number }>(method, path, body)).taskUid
}

async function finished(taskUid: number): Promise<void> {
  for (;;) {
    const { status, error } = await send<{ status: string; error: { message: string } | null }>(
      'GET',
      `/tasks/${taskUid}`,
    )
    if (status === 'succeeded') return
    if (status === 'failed' || status === 'canceled') {
      throw new Refusal(`Task ${taskUid} ${status}: ${error?.message ?? 'no reason was given'}`)
    }
    await setTimeout(POLL_MS)
  }
}

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(flags.key !== undefined && { authorization: `Bearer ${flags.key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new Refusal(
      `No server answers at ${url} (${reasonOf(error)}). Start one with \`npm start\`, or name it by --url.`,
    )
  })
  const text = await answer.text()
  if (answer.ok) return JSON.parse(text) as T
  const hint = answer.status === 401 || answer.status === 403 ? ' Give a key that may do this with --key.' : ''
  throw new Refusal(`${method} ${path}: ${answer.status} ${text}${hint}`)
}

/** `fetch` hides why it failed in the cause. */
function reasonOf({ message, cause }: Error): string {
  return (cause as { code?: string } | undefined)?.code ?? message
}

function thingsToTry(): string {
  const searches = [
    ['a word with a typo, matches highlighted', { q: 'phantom menase', limit: 3, attributesToHighlight: ['title'] }],
    [
      'a name, one genre, newest first',
      { q: 'keanu reeves', filter: 'genres = Action', sort: ['year:desc'], limit: 3 },
    ],
    ['how many films of each genre', { filter: 'year > 2000', facets: ['genres'], limit: 0 }],
  ] as const
  const key = flags.key === undefined ? '' : ` -H 'Authorization: Bearer ${flags.key}'`
  const commands = searches.map(
    ([label, body]) =>
      `# ${label}\ncurl ${url}/indexes/${INDEX}/search${key} -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`,
  )
  return `\nTry:\n\n${commands.join('\n\n')}`
}
