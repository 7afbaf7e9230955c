import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import type { TestServer } from '../../test/server.js'

/** A screen with something on it. */
export interface Scene {
  readonly name: string
  readonly hash: string
  /** On a server with a master key, seen by its owner. */
  readonly hasKeys?: boolean
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
  { name: 'keys', hash: '#/keys', hasKeys: true },
  {
    name: 'keys-new',
    hash: '#/keys',
    hasKeys: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('checkbox', { name: 'documents.*' }).check()
    },
  },
  { name: 'keys-none', hash: '#/keys' },
  {
    name: 'keys-webhook',
    hash: '#/keys?tab=webhooks',
    hasKeys: true,
    act: (page) =>
      page
        .getByRole('button', { name: /^Change/ })
        .first()
        .click(),
  },
  { name: 'keys-tokens', hash: '#/keys?tab=tokens', hasKeys: true, act: makeToken },
  { name: 'server', hash: '#/server', act: searchForCharts },
  {
    name: 'server-features',
    hash: '#/server',
    act: async (page) => {
      await page.getByRole('button', { name: 'Listen' }).click()
      await page.getByRole('list', { name: 'Logs' }).waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('heading', { name: 'Experimental features' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'interface', hash: '#/interface?operation=post_indexes_index_uid_search' },
  {
    name: 'interface-try',
    hash: '#/interface?operation=get_indexes',
    act: async (page) => {
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('heading', { name: 'Try it' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings',
    hash: '#/settings/films?section=ranking',
    act: async (page) => {
      await page.getByRole('button', { name: 'Move exactness up' }).click()
      await page.getByLabel('Attribute to sort by').fill('title')
      await page.keyboard.press('Enter')
    },
  },
  {
    name: 'settings-filters',
    hash: '#/settings/films?section=filters',
    act: async (page) => {
      await page.getByRole('button', { name: 'Choose what is allowed' }).first().click()
      await page.getByRole('button', { name: 'Which?' }).click()
    },
  },
  { name: 'settings-typos', hash: '#/settings/films?section=typos' },
  {
    name: 'settings-words',
    hash: '#/settings/films?section=words',
    act: async (page) => {
      await page.getByLabel('Word or words').fill('film')
      await page.keyboard.press('Enter')
      await page.getByLabel('What film also finds').fill('picture')
      await page.keyboard.press('Enter')
    },
  },
  { name: 'lab', hash: '#/lab/films?q=love+story&right.sort=year%3Adesc&right.strategy=all' },
  { name: 'lab-parameters', hash: '#/lab/films' },
  {
    name: 'lab-queries',
    hash: '#/lab/films?q=star+wars&right.searchOn=cast',
    act: async (page) => {
      await page.getByRole('button', { name: /^Want/ }).first().click()
      await page.getByRole('searchbox').fill('casablanca')
      await page.getByRole('button', { name: /^Want/ }).first().click()
      await page.getByRole('link', { name: 'Wanted documents' }).click()
      await page.getByRole('button', { name: 'Run all' }).click()
      await page.getByText('passes').nth(1).waitFor()
    },
  },
  { name: 'documents', hash: '#/documents/films?sort=year%3Adesc&filter=year+%3C+1960' },
  {
    name: 'documents-open',
    hash: '#/documents/films',
    act: (page) => page.getByRole('list', { name: 'Documents' }).getByRole('button').nth(3).click(),
  },
  {
    name: 'documents-upload',
    hash: '#/documents/films',
    act: async (page) => {
      await page.getByRole('button', { name: 'Upload a file' }).click()
      const films = { name: 'more-films.json', mimeType: 'application/json', buffer: Buffer.from('[]') }
      await page.getByLabel('Choose files').setInputFiles(films)
    },
  },
  { name: 'tasks', hash: '#/tasks' },
  {
    name: 'tasks-open',
    hash: '#/tasks',
    act: (page) => page.locator('.task-table').getByRole('row', { name: 'Failed' }).first().getByRole('link').click(),
  },
]

async function makeToken(page: Page): Promise<void> {
  await page.getByLabel('Key that signs it').selectOption({ label: 'Default Search API Key' })
  await page.getByLabel('Filter that is added').fill('tenant = 7')
  await page.getByRole('button', { name: 'Sign a token' }).click()
  const token = await page.getByRole('region', { name: 'The token' }).textContent()
  await page.getByLabel('Token', { exact: true }).fill(token ?? '')
}

const CHARTED_TURNS = 5

/** Some seconds of searches. */
async function searchForCharts(page: Page): Promise<void> {
  for (let turn = 0; turn < CHARTED_TURNS; turn++) {
    for (let each = 0; each < 20 * (1 + (turn % 3)); each++)
      await page.evaluate(`fetch('/indexes/films/search?q=night+${turn}+${each}')`)
    await page.waitForTimeout(2_000)
  }
}

const SETTINGS = {
  searchableAttributes: ['title', 'cast'],
  filterableAttributes: ['genres', 'year'],
  sortableAttributes: ['year'],
}

/** Keys and webhooks as a shop may have them. */
export async function makeKeys(server: TestServer): Promise<void> {
  const expiresAt = new Date(Date.now() + 1_000).toISOString()
  const shop = { name: 'Shop', description: 'The search of the shop', actions: ['search', 'documents.*'] }
  await server.request('POST', '/keys', { ...shop, indexes: ['shop_*'], expiresAt: null })
  await server.request('POST', '/keys', { name: 'Fair', actions: ['search'], indexes: ['*'], expiresAt })
  const headers = { Authorization: 'Bearer a-secret-of-the-shop', 'X-Shop': '7' }
  await server.request('POST', '/webhooks', { url: 'https://shop.example/tasks', headers })
}

/** The films, and whatever else the scenes need. */
export async function fillForPictures(server: TestServer): Promise<void> {
  const films = gunzipSync(readFileSync(join(import.meta.dirname, '../../examples/films.json.gz')))
  await server.request('PATCH', '/indexes/films/settings', SETTINGS)
  const { body } = await server.request('POST', '/indexes/films/documents?primaryKey=id', JSON.parse(films.toString()))
  await server.waitTask(Number(body.taskUid))
  await fillVectors(server)
  await fillTasks(server)
  await server.request('PATCH', '/experimental-features', { chatCompletions: true, metrics: true, logsRoute: true })
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

/** Some that succeed and some that fail, of different lengths. */
async function fillTasks(server: TestServer): Promise<void> {
  for (let i = 0; i < 24; i++) {
    const documents = Array.from({ length: 10 + (i % 5) * 400 }, (_, id) => ({ id, title: `Note ${id} of ${i}` }))
    const sent = i % 7 === 3 ? [{ title: 'A note without an id' }] : documents
    const { body } = await server.request('POST', '/indexes/notes/documents', sent)
    await server.waitTask(Number(body.taskUid))
  }
}
