import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>'

describe.runIf(chromiumPath !== undefined)('the first visit, and searches', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come()
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('a server without data offers films, and one click later they are searched', async () => {
    const { page } = visitor
    await visitor.open()
    await page.getByRole('button', { name: 'Load 36,273 example films' }).click()
    await page.getByRole('searchbox', { name: 'Search' }).waitFor({ timeout: 60_000 })
    await page.keyboard.press('/')
    await page.keyboard.type('casablanka')
    const first = page.locator('.hits > li').first()
    await first.getByRole('heading', { name: 'Casablanca', exact: true }).waitFor()
    expect(await first.locator('mark').first().textContent()).toMatch(/^Casablan/)
    expect(await page.evaluate('location.hash')).toBe('#/search/films?q=casablanka')
    expect(await visitor.accessibilityProblems()).toEqual([])
  }, 90_000)

  test('facets narrow down, ranges are dragged, and the address holds it all', async () => {
    const { page, server } = visitor
    const drama = page.getByRole('group', { name: 'genres' }).getByRole('checkbox', { name: /^Drama/ })
    await visitor.open('#/search/films?q=love')
    await drama.check()
    await page.getByRole('group', { name: 'year' }).getByRole('slider').first().fill('2000')
    await page.getByRole('combobox', { name: 'Order' }).selectOption('year:desc')
    const filter = [['genres = Drama'], 'year >= 2000']
    const request = { q: 'love', filter, sort: ['year:desc'], hitsPerPage: 20, page: 1 }
    const { body } = await server.request<{ hits: { title: string }[] }>('POST', '/indexes/films/search', request)
    const titles = body.hits.map(({ title }) => title)
    const shown = () => page.locator('.hits h3').allTextContents()
    await expect.poll(shown, { timeout: 15_000 }).toEqual(titles)
    await page.reload()
    await expect.poll(shown, { timeout: 15_000 }).toEqual(titles)
    expect(await drama.isChecked()).toBe(true)
  }, 60_000)

  test('a hit tells why it stands where it does, by keyboard too', async () => {
    const { page } = visitor
    await visitor.open('#/search/films?q=star')
    await expect.poll(() => page.locator('.hits h3').first().textContent()).toMatch(/star/i)
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.matches(".hits > li:nth-child(2)")')).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const why = page.getByRole('dialog')
    await why.getByRole('heading', { name: 'exactness' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await page.keyboard.press('Escape')
    await why.waitFor({ state: 'detached' })
  })

  test('the request can be taken along, and works', async () => {
    const { page, server } = visitor
    await visitor.open('#/search/films?q=alien&filter=year+%3E+1980')
    await page.getByRole('button', { name: 'Request' }).click()
    const curl = await page.getByRole('region', { name: 'curl' }).textContent()
    const body = JSON.parse(/--data '(.*)'$/s.exec(curl ?? '')![1]!)
    const { body: found } = await server.request('POST', '/indexes/films/search', body)
    expect((found.hits as unknown[]).length).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
  })

  test('a wrong filter is explained by the server', async () => {
    const { page } = visitor
    await visitor.open('#/search/films?filter=nothing+%3D+1')
    await page.getByRole('alert').getByText('invalid_search_filter').waitFor()
  })

  test('hostile documents are shown as text, and do no harm', async () => {
    const { page, server } = visitor
    const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`field${i}`, i]))
    const documents = [
      { id: 1, title: HOSTILE, link: 'javascript:alert(1)', image: 'https://example.org/spy.png' },
      { id: 2, title: 'x'.repeat(1_000_000) },
      { id: 3, title: 'many', ...fields },
      { id: 4, title: `\u{e000}${HOSTILE}\u{e001}` },
    ]
    const { body } = await server.request('POST', '/indexes/hostile/documents', documents)
    await server.waitTask(Number(body.taskUid))
    await visitor.open('#/search/hostile')
    await page.getByText('and 2,989 more fields').waitFor()
    expect(await page.getByText(HOSTILE).count()).toBe(2)
    expect(await page.locator('.hits img, .hits script, .hits iframe, .hits a').count()).toBe(0)
    expect(((await page.locator('.hits').textContent()) ?? '').length).toBeLessThan(20_000)
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
