/**
 * How the server keeps its speed in a large index: a million made articles, added in equal parts, then single changes,
 * then searches by kind, each asked once and all different.
 *
 *   npx tsx bench/million.ts [--documents 1000000] [--url http://127.0.0.1:7700]
 */
import { parseArgs } from 'node:util'
import { BenchServer } from './bench-server.js'
import { megabytes, ms, quantile, seconds } from './figures.js'
import type { Connection } from './http-client.js'
import { ARTICLE_SETTINGS, Shop } from './synthetic.js'

const PARTS = 10
const POST_SIZE = 10_000
const SINGLE_CHANGES = 20
const SEARCHES_OF_A_KIND = 100

const { values: flags } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    url: { type: 'string' },
    key: { type: 'string' },
  },
})
const total = Number(flags.documents)
const shop = new Shop()
const server = await BenchServer.open(flags.url, flags.key)
const connection = server.connect()
try {
  await prepare(connection)
  for (let part = 0; part < PARTS; part++) await addPart(connection, part)
  await changeOneByOne(connection)
  await searchKinds(connection)
} finally {
  connection.close()
  await server.close()
}

async function prepare(connection: Connection): Promise<void> {
  const created = await connection.json<{ taskUid: number }>('POST', '/indexes', { uid: 'shop', primaryKey: 'id' })
  const changed = await connection.json<{ taskUid: number }>('PATCH', '/indexes/shop/settings', ARTICLE_SETTINGS)
  for (const { taskUid } of [created, changed]) await connection.finished(taskUid)
  await oneByOne(connection, 'one document added to the empty index', 0)
}

async function addPart(connection: Connection, part: number): Promise<void> {
  const size = Math.floor(total / PARTS)
  const bodies: string[] = []
  for (let from = part * size; from < (part + 1) * size; from += POST_SIZE) {
    const count = Math.min(POST_SIZE, (part + 1) * size - from)
    bodies.push(JSON.stringify(Array.from({ length: count }, (_, i) => shop.article(from + i))))
  }
  const started = performance.now()
  let last = 0
  for (const body of bodies) {
    const answer = await connection.send('POST', '/indexes/shop/documents', body)
    last = (JSON.parse(answer.toString()) as { taskUid: number }).taskUid
  }
  await connection.finished(last, 20)
  const took = performance.now() - started
  const memory = server.anonymousBytes()
  const disk = server.diskBytes()
  console.log(
    `part ${part + 1}: ${Math.round(size / (took / 1000))} documents a second (${seconds(took)})`,
    memory === undefined ? '' : `memory ${megabytes(memory.now)}, disk ${megabytes(disk!)}`,
  )
}

async function changeOneByOne(connection: Connection): Promise<void> {
  await oneByOne(connection, 'one document added to the full index', 500_000_000)
}

async function oneByOne(connection: Connection, what: string, firstId: number): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < SINGLE_CHANGES; i++) {
    const started = performance.now()
    const { taskUid } = await connection.json<{ taskUid: number }>('POST', '/indexes/shop/documents', [
      shop.article(firstId + 900_000_000 + i),
    ])
    await connection.finished(taskUid, 0)
    times.push(performance.now() - started)
  }
  console.log(`${what}: median ${ms(quantile(times, 0.5))}, p90 ${ms(quantile(times, 0.9))}`)
}

type Kind = readonly [name: string, query: () => object]

function kinds(): Kind[] {
  const two = () => `${shop.typicalWord()} ${shop.typicalWord()}`
  return [
    ['one word', () => ({ q: shop.typicalWord() })],
    ['two words', () => ({ q: two() })],
    ['three words', () => ({ q: `${two()} ${shop.typicalWord()}` })],
    ['frequent words', () => ({ q: `${shop.word()} ${shop.word()}` })],
    ['beginning of a word', () => ({ q: shop.typicalWord().slice(0, 1 + shop.below(4)) })],
    ['typo', () => ({ q: withTypo(shop.typicalWord()) })],
    ['phrase', () => ({ q: `"${two()}"` })],
    ['filter', () => ({ q: two(), filter: `price < ${shop.below(900)} AND inStock = true` })],
    ['sort', () => ({ q: shop.typicalWord(), sort: ['price:asc'] })],
    ['sort everything', () => ({ sort: [`price:${shop.below(2) ? 'asc' : 'desc'}`], offset: shop.below(100) })],
    ['facets', () => ({ q: shop.typicalWord(), facets: ['brand', 'categories', 'rating'] })],
    ['facets of everything', () => ({ facets: ['categories'], filter: `price > ${shop.below(500)}` })],
  ]
}

function withTypo(word: string): string {
  const at = 1 + shop.below(word.length - 1)
  return `${word.slice(0, at)}w${word.slice(at + 1)}`
}

async function searchKinds(connection: Connection): Promise<void> {
  const rows: Record<string, { p50: string; p99: string }> = {}
  const all: number[] = []
  // The first round is not counted: code is cold. No query is asked twice.
  for (const round of [0, 1]) {
    for (const [name, query] of kinds()) {
      const times: number[] = []
      for (let i = 0; i < SEARCHES_OF_A_KIND; i++) {
        const body = JSON.stringify(query())
        const started = performance.now()
        await connection.send('POST', '/indexes/shop/search', body)
        times.push(performance.now() - started)
      }
      if (round === 1) rows[name] = { p50: ms(quantile(times, 0.5)), p99: ms(quantile(times, 0.99)) }
      if (round === 1) all.push(...times)
    }
  }
  console.table(rows)
  console.log(`all kinds: p50 ${ms(quantile(all, 0.5))}, p99 ${ms(quantile(all, 0.99))}`)
}
