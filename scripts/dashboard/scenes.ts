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
  await fillTasks(server)
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
