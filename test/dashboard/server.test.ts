import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const MASTER_KEY = 'a-master-key-for-the-tests'

const CLUSTER = {
  enabled: true,
  name: 'north',
  node: 'a',
  isReady: true,
  coordinator: 'b',
  members: [
    { name: 'a', url: 'http://a:7700', version: '0.1.0', self: true, isReady: true, isCoordinator: false, lag: 0 },
    { name: 'b', url: null, version: '0.1.0', self: false, isReady: false, isCoordinator: true, lag: 12 },
  ],
  problem: null,
  shards: { s1: ['a'], s2: ['a', 'b'] },
}

describe.runIf(chromiumPath !== undefined)('the server as it is', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come()
    const { body } = await visitor.server.request('POST', '/indexes/books/documents', [{ id: 1, title: 'Red fox' }])
    await visitor.server.waitTask(Number(body.taskUid))
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('sizes are there at once, charts after metrics are switched on', async () => {
    const { page, server } = visitor
    await visitor.open('#/server')
    await page.getByText('available', { exact: true }).waitFor()
    await page.getByText(/^1\.49\.0/).waitFor()
    const row = page.getByRole('row', { name: /books/ })
    expect(await row.getByRole('cell').first().textContent()).toBe('1')
    await page.getByRole('button', { name: 'Switch metrics on' }).click()
    const searches = page.getByRole('img', { name: /^Searches and requests, searches: / })
    await searches.waitFor()
    await server.request('POST', '/indexes/books/search', { q: 'fox' })
    await page.getByRole('img', { name: /^Time of a search, mean: .* between [\d.]+ ms/ }).waitFor()
    expect(await searches.getAttribute('aria-label')).toMatch(/between 0 \/ s and 0\.\d+ \/ s/)
    expect(await page.getByText('Running for').count()).toBe(1)
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('a hidden page asks for nothing', async () => {
    const { page } = visitor
    const asked: string[] = []
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    await page.waitForLoadState('networkidle')
    page.on('request', (request) => asked.push(request.url()))
    await page.waitForTimeout(2_500)
    await page.evaluate('delete document.hidden')
    expect(asked).toEqual([])
    await page.waitForRequest(/\/metrics$/)
  })

  test('logs are listened to by one at a time, held and stopped', async () => {
    const { page, server } = visitor
    await page.getByRole('switch', { name: 'logsRoute' }).check()
    await page.getByRole('button', { name: 'Listen' }).click()
    const log = page.getByRole('list', { name: 'Logs' })
    const says = async (path: string) => {
      await server.request('GET', path)
      await log.getByText(path).first().waitFor()
    }
    await says('/indexes/first')
    await page.getByRole('button', { name: 'Pause' }).click()
    await server.request('GET', '/indexes/second')
    await page.waitForTimeout(400)
    expect(await log.getByText('/indexes/second').count()).toBe(0)
    await page.getByRole('button', { name: 'Pause' }).click()
    await log.getByText('/indexes/second').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])

    const other = await page.context().newPage()
    await other.goto(`${server.url}/#/server`)
    await other.getByRole('button', { name: 'Listen' }).click()
    await other.getByRole('button', { name: 'End the other listener and listen here' }).click()
    await page.getByRole('button', { name: 'Listen' }).waitFor()
    await server.request('GET', '/indexes/third')
    await other.getByRole('list', { name: 'Logs' }).getByText('/indexes/third').waitFor()
    await other.getByRole('button', { name: 'Stop' }).click()
    await other.getByRole('button', { name: 'Listen' }).waitFor()
    await other.close()
  })

  test('a dump is written', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Write a dump' }).click()
    await page.getByText(/^The dump \d{8}-\d+ is written$/).waitFor()
  })

  test('the network is shown when its feature is on', async () => {
    const { page, server } = visitor
    await page.getByRole('switch', { name: 'network' }).check()
    const panel = page.getByRole('region', { name: 'Network' }).first()
    await panel.getByText('No other server is named').waitFor()
    await server.request('PATCH', '/network', { self: 'a', remotes: { a: { url: 'http://a:7700' } } })
    await panel.getByRole('row', { name: /^a this one http:\/\/a:7700/ }).waitFor()
  })

  test('members and shards of a cluster are shown', async () => {
    const { page } = visitor
    await page.route('**/cluster', (route) => route.fulfill({ json: CLUSTER }))
    await page.reload()
    await page.getByRole('heading', { name: 'Cluster north' }).waitFor()
    await page.getByRole('row', { name: /^b coordinator – not ready 12 entries/ }).waitFor()
    await page.getByText('a, b').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})

describe.runIf(chromiumPath !== undefined)('a server with keys', () => {
  test('a key for statistics sees those and nothing to change', async () => {
    const visitor = await Visitor.come({ masterKey: MASTER_KEY })
    try {
      const { page, server } = visitor
      const asked = { actions: ['stats.get'], indexes: ['*'], expiresAt: null }
      const { body } = await server.request('POST', '/keys', asked)
      await visitor.open('#/server')
      await page.getByRole('textbox', { name: 'API key or master key' }).fill(String(body.key))
      await page.getByRole('button', { name: 'Enter' }).click()
      await page.getByText('Size on disk').waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('.panel').count()).toBe(0)
      expect(visitor.complaints).toEqual([])
    } finally {
      await visitor.leave()
    }
  }, 60_000)
})
