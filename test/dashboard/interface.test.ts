import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const MASTER_KEY = 'a-master-key-for-the-tests'

describe.runIf(chromiumPath !== undefined)('the interface, to read and to try', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come()
    const { body } = await visitor.server.request('POST', '/indexes/books/documents', [
      { id: 1, title: 'Red <b>fox</b>' },
    ])
    await visitor.server.waitTask(Number(body.taskUid))
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('an operation is found by its words, and tells its parameters, body, answers and codes', async () => {
    const { page } = visitor
    await visitor.open('#/interface')
    await page.getByRole('heading', { name: 'Choose an operation' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await page.keyboard.press('/')
    await page.keyboard.type('post search indexes')
    const list = page.getByRole('navigation', { name: 'Operations' })
    await list.getByRole('link', { name: '/indexes/{index_uid}/search' }).click()
    await page.getByText('Actions the key needs: search').waitFor()
    await page.locator('.schema-name', { hasText: /^index_uid$/ }).waitFor()
    await page.locator('.schema-name', { hasText: /^attributesToHighlight$/ }).waitFor()
    await page.locator('summary', { hasText: 'hybrid' }).first().click()
    await page.locator('.schema-name', { hasText: /^semanticRatio$/ }).waitFor()
    await page.locator('summary', { hasText: '400' }).click()
    await page.locator('.codes', { hasText: 'invalid_search_filter' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    const hash = String(await page.evaluate('location.hash'))
    expect(hash).toContain('filter=post+search+indexes')
    await page.reload()
    await page.getByText('Actions the key needs: search').waitFor()
  })

  test('a search is sent, and its answer shown as text', async () => {
    const { page } = visitor
    const form = page.getByRole('region', { name: 'Try it' })
    expect(await form.getByLabel('index_uid').inputValue()).toBe('books')
    await form.getByLabel('Body', { exact: true }).fill('{"q": "red"')
    await form.getByText(/JSON/).first().waitFor()
    await form.getByLabel('Body', { exact: true }).fill('{"q": "red"}')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText(/^200 OK in \d+ ms/).waitFor()
    const answer = JSON.parse((await form.getByRole('region', { name: 'Answer' }).textContent())!)
    expect(answer.hits).toEqual([{ id: 1, title: 'Red <b>fox</b>' }])
    await form.getByText('Headers', { exact: true }).click()
    expect(await form.getByRole('region', { name: 'Headers' }).textContent()).toContain(
      'content-type: application/json',
    )
    const curl = await form.getByRole('region', { name: 'As curl' }).textContent()
    expect(curl).toContain(`curl -X POST '${visitor.server.url}/indexes/books/search'`)
    expect(curl).toContain(`--data-binary '{"q": "red"}'`)
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('what deletes is asked before', async () => {
    const { page, server } = visitor
    await visitor.open('#/interface?operation=delete_indexes_index_uid')
    const form = page.getByRole('region', { name: 'Try it' })
    await form.getByRole('button', { name: 'Send' }).click()
    const asked = page.getByRole('dialog', { name: 'Send a request that deletes?' })
    await asked.getByText('DELETE /indexes/books').waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'detached' })
    expect((await server.request('GET', '/indexes/books')).status).toBe(200)
    await form.getByRole('button', { name: 'Send' }).click()
    await asked.getByRole('button', { name: 'Send' }).click()
    await form.getByText(/^202 Accepted/).waitFor()
    const { taskUid } = JSON.parse((await form.getByRole('region', { name: 'Answer' }).textContent())!)
    await server.waitTask(taskUid)
    expect((await server.request('GET', '/indexes/books')).status).toBe(404)
  })

  test('on a narrow page one goes from the list to an operation and back', async () => {
    const { page } = visitor
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'All operations' }).click()
    await page.getByRole('link', { name: /\/health/ }).click()
    await page.getByText('It needs no key.').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})

describe.runIf(chromiumPath !== undefined)('the interface of a server with keys', () => {
  test('requests are sent with the key of the page, and refusals shown', async () => {
    const visitor = await Visitor.come({ masterKey: MASTER_KEY })
    try {
      const { page, server } = visitor
      const asked = { actions: ['stats.get'], indexes: ['*'], expiresAt: null }
      const { body } = await server.request('POST', '/keys', asked)
      await visitor.open('#/interface?operation=get_stats')
      await page.getByRole('textbox', { name: 'API key or master key' }).fill(String(body.key))
      await page.getByRole('button', { name: 'Enter' }).click()
      const form = page.getByRole('region', { name: 'Try it' })
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText(/^200 OK/).waitFor()
      const curl = await form.getByRole('region', { name: 'As curl' }).textContent()
      expect(curl).toContain('-H "Authorization: Bearer $KEY"')
      expect(curl).not.toContain(String(body.key))
      await page.evaluate("location.hash = '#/interface?operation=get_tasks'")
      await page
        .getByRole('heading', { name: '/tasks' })
        .or(page.getByText('/tasks', { exact: true }))
        .first()
        .waitFor()
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText(/^403/).waitFor()
      await form.getByText('invalid_api_key').waitFor()
      expect(visitor.complaints).toEqual([])
    } finally {
      await visitor.leave()
    }
  }, 60_000)
})
