import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const FILMS = [
  { id: 1, title: 'Red fox', about: 'A fox', year: 2003 },
  { id: 2, title: 'Fox and hound', about: 'A dog', year: 2001 },
  { id: 3, title: 'The red house', about: 'Where the fox lives', year: 2002 },
  { id: 4, title: '<img src=x onerror=alert(1)> fox', about: 'Hostile', year: 1999 },
]

describe.runIf(chromiumPath !== undefined)('the relevance lab', () => {
  let visitor: Visitor

  const titles = (side: 'Left' | 'Right') =>
    visitor.page
      .getByRole('list', { name: `Hits: ${side}` })
      .locator('.ranked-body strong')
      .allTextContents()
  const marks = () => visitor.page.getByRole('list', { name: 'Hits: Right' }).locator('.mark-text').allTextContents()

  beforeAll(async () => {
    visitor = await Visitor.come()
    const { server } = visitor
    await server.request('PATCH', '/indexes/films/settings', { sortableAttributes: ['year'] })
    await server.request('PATCH', '/indexes/others/settings', { rankingRules: ['year:desc'] })
    await server.request('POST', '/indexes/films/documents', FILMS)
    const { body } = await server.request('POST', '/indexes/others/documents', FILMS.slice(1))
    await server.waitTask(Number(body.taskUid))
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('two searches lie side by side, with what moved in words, and all of it in the address', async () => {
    const { page } = visitor
    await visitor.open('#/lab/films')
    await page.getByText('Both sides ask the same.').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('fox')
    await page.getByText('Both sides find the same in the same order.').waitFor()
    const right = page.getByRole('region', { name: 'Right', exact: true })
    await right.getByRole('textbox', { name: 'Sort' }).fill('year:asc')
    await right.getByRole('textbox', { name: 'Attributes to search' }).fill('title')
    await page.getByText('1 gone.').waitFor()
    const before = await titles('Left')
    const after = await titles('Right')
    expect(after).toEqual(['<img src=x onerror=alert(1)> fox', 'Fox and hound', 'Red fox'])
    expect(await page.getByRole('list', { name: 'Hits: Left' }).getByText('gone').count()).toBe(1)
    expect(await marks()).toEqual(after.map((title, i) => movedText(before.indexOf(title) - i)))
    expect(await visitor.accessibilityProblems()).toEqual([])
    await page.reload()
    await page.getByText('1 gone.').waitFor()
    expect(await titles('Right')).toEqual(after)
  })

  test('the same documents with other settings are compared too', async () => {
    const { page } = visitor
    await visitor.open('#/lab/films?q=fox')
    await page.getByRole('button', { name: 'Parameters' }).click()
    const right = page.getByRole('region', { name: 'Right', exact: true })
    await right.getByRole('combobox', { name: 'Index' }).selectOption('others')
    await expect.poll(() => titles('Right')).toEqual([FILMS[2]!.title, FILMS[1]!.title, FILMS[3]!.title])
    expect(await page.evaluate('location.hash')).toBe('#/lab/films?q=fox&right.index=others')
  })

  test('queries with wanted documents are kept, run, and summed up for both sides', async () => {
    const { page } = visitor
    await visitor.open('#/lab/films?q=hound&right.searchOn=about')
    const left = page.getByRole('list', { name: 'Hits: Left' })
    await left.getByRole('button', { name: 'Want 2 for this query' }).click()
    await page.getByRole('link', { name: 'Wanted documents' }).click()
    await page.getByRole('button', { name: 'Add a query' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Query', { exact: true }).fill('house')
    await dialog.getByLabel('Ids of wanted documents').fill('3\n4')
    await dialog.getByLabel('Among the first').fill('2')
    expect(await visitor.accessibilityProblems()).toEqual([])
    await dialog.getByRole('button', { name: 'Keep' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Run all' }).click()
    const rows = page.locator('.wish-list > li')
    await expect
      .poll(() => rows.locator('.wish-outcomes p').allTextContents())
      .toEqual([
        'Left passes 2 at 1',
        'Right fails 2 not among the first 100',
        'Left fails 3 at 1, 4 not among the first 100',
        'Right fails 3 not among the first 100, 4 not among the first 100',
      ])
    expect(await page.locator('.summary dd').allTextContents()).toEqual([
      '1 / 2',
      '67 %',
      '1.000',
      '0 / 2',
      '0 %',
      '0.000',
    ])
    expect(await visitor.accessibilityProblems()).toEqual([])
    await rows.getByRole('button', { name: 'house', exact: true }).click()
    await expect.poll(() => titles('Left')).toEqual(['The red house'])
  })

  test('they leave as a file and come back', async () => {
    const { page } = visitor
    await visitor.open('#/lab/films?view=queries')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const file = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(file).toEqual([
      { query: 'hound', wanted: ['2'], among: 10 },
      { query: 'house', wanted: ['3', '4'], among: 2 },
    ])
    await page.getByRole('button', { name: 'Remove hound' }).click()
    await page.getByRole('button', { name: 'Remove house' }).click()
    await page.getByRole('heading', { name: 'No queries yet' }).waitFor()
    const choose = (value: unknown) => {
      const buffer = Buffer.from(JSON.stringify(value))
      return page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
    }
    await choose({ query: 'no list' })
    await page.getByText('This file holds no queries').waitFor()
    await choose(file)
    await expect.poll(() => page.locator('.wish-list > li').count()).toBe(2)
  })

  test('a side that cannot search says why, and the other one goes on', async () => {
    const { page } = visitor
    await visitor.open('#/lab/films?q=fox&right.filter=nothing+%3D+1')
    await page.getByRole('region', { name: 'Hits: Right' }).getByText('invalid_search_filter').waitFor()
    expect((await titles('Left')).length).toBe(4)
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})

const movedText = (by: number): string => (by === 0 ? 'same place' : by > 0 ? `up ${by}` : `down ${-by}`)
