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
}
