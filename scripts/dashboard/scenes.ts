import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { TestServer } from '../../test/server.js'

/** A screen with something on it. */
export interface Scene {
  readonly name: string
  readonly hash: string
  /** What a person did there before the picture was taken. */
  act?(page: Page): Promise<void>
}

export const SCENES: readonly Scene[] = [
  { name: 'search', hash: '#/search/films?q=night+of+the&sort=&facets=%7B%22genres%22%3A%5B%22Horror%22%5D%7D' },
  {
    name: 'search-why',
    hash: '#/search/films?q=star+wars',
    act: (page) => page.getByRole('button', { name: 'Why here?' }).first().click(),
  },
  { name: 'vectors', hash: '#/vectors/drinks?id=1' },
  { name: 'chat', hash: '#/chat/library' },
]

const SETTINGS = {
  searchableAttributes: ['title', 'cast'],
  filterableAttributes: ['genres', 'year'],
  sortableAttributes: ['year'],
}

/** The films, and whatever else the scenes need. */
export async function fillForPictures(server: TestServer): Promise<void> {
  const films = gunzipSync(readFileSync(join(import.meta.dirname, '../../examples/films.json.gz')))
  await server.request('PATCH', '/indexes/films/settings', SETTINGS)
  const { body } = await server.request('POST', '/indexes/films/documents?primaryKey=id', JSON.parse(films.toString()))
  await server.waitTask(Number(body.taskUid))
  await fillVectors(server)
  await server.request('PATCH', '/experimental-features', { chatCompletions: true })
  await server.request('PATCH', '/chats/library/settings', { source: 'vLlm', baseUrl: 'http://127.0.0.1:1' })
}

/** By hand, as no model is at hand: how sour, sweet and bitter something is. */
const DRINKS: Readonly<Record<string, readonly number[]>> = {
  Lemonade: [0.9, 0.5, 0.1],
  'Orange juice': [0.6, 0.7, 0.1],
  'Grapefruit juice': [0.7, 0.3, 0.6],
  Cocoa: [0.1, 0.8, 0.4],
  Coffee: [0.3, 0.1, 0.9],
  'Green tea': [0.2, 0.1, 0.7],
}

async function fillVectors(server: TestServer): Promise<void> {
  await server.request('PATCH', '/indexes/drinks/settings', {
    embedders: { taste: { source: 'userProvided', dimensions: 3 } },
  })
  const drinks = Object.entries(DRINKS).map(([name, taste], i) => ({ id: i + 1, name, _vectors: { taste } }))
  const { body } = await server.request('POST', '/indexes/drinks/documents?primaryKey=id', drinks)
  await server.waitTask(Number(body.taskUid))
}
