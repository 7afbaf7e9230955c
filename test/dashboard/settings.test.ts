import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const SAVED = { searchableAttributes: ['title', 'cast'], filterableAttributes: ['genre'], stopWords: ['the'] }

describe.runIf(chromiumPath !== undefined)('settings of an index', () => {
  let visitor: Visitor

  const settings = async () => (await visitor.server.request('GET', '/indexes/films/settings')).body
  const bar = () => visitor.page.getByRole('region', { name: 'Changes that are not saved' })
  const save = async () => {
    await bar().getByRole('button', { name: 'Save' }).click()
    await bar().waitFor({ state: 'detached' })
  }

  beforeAll(async () => {
    visitor = await Visitor.come()
    await visitor.server.request('PATCH', '/indexes/films/settings', SAVED)
    const { body } = await visitor.server.request('POST', '/indexes/films/documents', [
      { id: 1, title: 'The Cat', cast: ['Ann'], genre: 'Drama', year: 1999, 'price|eur': 3 },
      { id: 2, title: 'A Dog', cast: ['Bob'], genre: 'Crime', year: 2001 },
    ])
    await visitor.server.waitTask(Number(body.taskUid))
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('lists are changed by keyboard and pointer, and saved in one request', async () => {
    const { page } = visitor
    await visitor.open('#/settings/films')
    const list = page.getByRole('list', { name: 'Searchable attributes' })
    await list.getByRole('listitem').first().focus()
    await page.keyboard.press('Alt+ArrowDown')
    await bar().getByText('1 setting differs. Nothing is indexed again: only searches change.').waitFor()
    await page.getByLabel('Attribute to search').fill('year')
    await page.keyboard.press('Enter')
    await bar().getByText('words of about 2 documents again').waitFor()
    await page.getByRole('link', { name: 'Ranking' }).click()
    await page.getByRole('button', { name: 'Move exactness up' }).click()
    await page.getByRole('button', { name: 'Remove proximity' }).click()
    await page.getByRole('link', { name: 'Words' }).click()
    await page.getByRole('button', { name: 'Remove the' }).click()
    await page.getByLabel('Stop word', { exact: true }).fill('a')
    await page.keyboard.press('Enter')
    await page.getByLabel('Word or words').fill('feline')
    await page.keyboard.press('Enter')
    await page.getByLabel('What feline also finds').fill('cat')
    await page.keyboard.press('Enter')
    const requests: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && requests.push(request.postData() ?? ''))
    await bar().getByText('4 settings differ.').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await save()
    expect(requests.map((body) => Object.keys(JSON.parse(body)))).toEqual([
      ['searchableAttributes', 'rankingRules', 'stopWords', 'synonyms'],
    ])
    expect(await settings()).toMatchObject({
      searchableAttributes: ['cast', 'title', 'year'],
      rankingRules: ['words', 'typo', 'attributeRank', 'sort', 'exactness', 'wordPosition'],
      stopWords: ['a'],
      synonyms: { feline: ['cat'] },
    })
  })

  test('entries are dragged', async () => {
    const { page } = visitor
    await visitor.open('#/settings/films?section=ranking')
    const list = page.getByRole('list', { name: 'Ranking rules' })
    await list.getByRole('listitem').nth(4).dragTo(list.getByRole('listitem').first())
    expect(await list.getByRole('listitem').first().textContent()).toContain('exactness')
    await bar().getByRole('button', { name: 'Undo all' }).click()
    await bar().waitFor({ state: 'detached' })
  })

  test('attributes to filter by may be rules with patterns', async () => {
    const { page } = visitor
    await visitor.open('#/settings/films?section=filters')
    await page.getByRole('button', { name: 'Rule by patterns' }).click()
    await page.getByLabel('Attribute or pattern').fill('price*')
    await page.keyboard.press('Enter')
    await page.getByRole('switch', { name: 'Compare: < <= > >= TO' }).check()
    await page.getByRole('combobox', { name: 'All attributes' }).selectOption('count')
    await bar().getByText('facets of about 2 documents again').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await save()
    const features = { facetSearch: false, filter: { equality: true, comparison: true } }
    expect(await settings()).toMatchObject({
      filterableAttributes: ['genre', { attributePatterns: ['price*'], features }],
      faceting: { sortFacetValuesBy: { '*': 'count' } },
    })
  })

  test('errors of the server stand at the setting that they are about, at once or from the task', async () => {
    const { page } = visitor
    await visitor.open('#/settings/films?section=ranking')
    await page.getByLabel('Rule, or attribute:asc').fill('nonsense')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Limits' }).click()
    await bar().getByRole('button', { name: 'Save' }).click()
    const rules = page.getByRole('region', { name: 'Ranking rules' })
    await rules.getByRole('alert').getByText('invalid_settings_ranking_rules').waitFor()
    await rules.getByRole('button', { name: 'Undo Ranking rules' }).click()
    await page.getByRole('link', { name: 'Meaning and chat' }).click()
    await page.getByLabel('As JSON').fill('{"mine": {"source": "userProvided", "dimensions": 3}')
    expect(await bar().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByLabel('As JSON').fill('{"mine": {"source": "userProvided", "dimensions": 3}}')
    await bar().getByText('vectors of about 2 documents again').waitFor()
    await bar().getByRole('button', { name: 'Save' }).click()
    const embedders = page.getByRole('region', { name: 'Embedders' })
    await embedders.getByRole('alert').getByText('vector_embedding_error').waitFor()
    await bar().getByRole('button', { name: 'Which?' }).click()
    await bar().getByRole('button', { name: 'Undo Embedders' }).click()
    await bar().waitFor({ state: 'detached' })
    expect(await page.getByLabel('As JSON').inputValue()).toBe('{}')
  })

  test('one goes back to its default', async () => {
    const { page } = visitor
    await visitor.open('#/settings/films?section=words')
    await page.getByRole('button', { name: 'Reset Stop words to its default' }).click()
    await save()
    expect((await settings()).stopWords).toEqual([])
  })

  test('leaving with changes is asked about', async () => {
    const { page } = visitor
    await visitor.open('#/settings/films?section=limits')
    await page.getByLabel('Most hits that can be reached').fill('500')
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Most hits that can be reached').inputValue()).toBe('500')
    expect(await page.evaluate('location.hash')).toBe('#/settings/films?section=limits')
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('searchbox').waitFor()
    expect((await settings()).pagination).toEqual({ maxTotalHits: 1000 })
  })

  test('a file takes settings away and brings them back as changes', async () => {
    const { page } = visitor
    await visitor.open('#/settings/films?section=limits')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const file = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(file).toEqual(await settings())
    const other = { ...file, searchCutoffMs: 80, stopWords: 3, nothing: true }
    const buffer = Buffer.from(JSON.stringify(other))
    await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
    await page.getByText('of another kind: stopWords, nothing').waitFor()
    await bar().getByText('1 setting differs.').waitFor()
    expect(await page.getByLabel('Most milliseconds of a search').inputValue()).toBe('80')
    await save()
    expect((await settings()).searchCutoffMs).toBe(80)
  })

  test('an index that is not there is said so', async () => {
    await visitor.open('#/settings/nowhere')
    await visitor.page.getByRole('alert').getByText('index_not_found').waitFor()
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})

describe.runIf(chromiumPath !== undefined)('settings with a key', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come({ masterKey: 'a-master-key-of-many-letters' })
    const { body } = await visitor.server.request('POST', '/indexes', { uid: 'films' })
    await visitor.server.waitTask(Number(body.taskUid))
  }, 60_000)
  afterAll(() => visitor?.leave())

  const enter = async (actions: readonly string[]) => {
    const { page, server } = visitor
    const { body } = await server.request('POST', '/keys', { actions, indexes: ['*'], expiresAt: null })
    await visitor.open()
    await page.evaluate('sessionStorage.clear()')
    await page.reload()
    await page.getByLabel('API key or master key').fill(String(body.key))
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  }

  test('are not shown to those who may only search', async () => {
    await enter(['search'])
    const links = visitor.page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
    const names = await links.allTextContents()
    expect(names).toContain('Relevance lab')
    expect(names).not.toContain('Settings')
  })

  test('are read by those who may, and the server says so where they may not change them', async () => {
    const { page } = visitor
    await enter(['settings.get', 'indexes.get'])
    await visitor.open('#/settings/films?section=limits')
    await page.getByLabel('Most hits that can be reached').fill('50')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('invalid_api_key').waitFor()
  })

  test('are changed without following the task where it may not be seen', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Undo all' }).click()
    await enter(['settings.*', 'indexes.get'])
    await visitor.open('#/settings/films?section=limits')
    await page.getByLabel('Most hits that can be reached').fill('50')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are sent.').waitFor()
    expect(visitor.complaints).toEqual([])
  })
})
