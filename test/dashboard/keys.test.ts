import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const MASTER_KEY = 'a-master-key-for-the-tests'

describe.runIf(chromiumPath !== undefined)('keys, webhooks and tenant tokens', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come({ masterKey: MASTER_KEY })
    const { server, page } = visitor
    await server.request('PATCH', '/indexes/books/settings', { filterableAttributes: ['tenant'] })
    const { body } = await server.request('POST', '/indexes/books/documents', [
      { id: 1, title: 'Red fox', tenant: 7 },
      { id: 2, title: 'Red deer', tenant: 8 },
    ])
    await server.waitTask(Number(body.taskUid))
    await visitor.open('#/keys')
    await page.getByRole('textbox', { name: 'API key or master key' }).fill(MASTER_KEY)
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('heading', { name: 'Keys and webhooks' }).waitFor()
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('a key is made with what it may do, shown once, renamed and deleted', async () => {
    const { page, server } = visitor
    await page.getByRole('listitem', { name: 'Default Search API Key' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('shop')
    await form.getByLabel('On which indexes').fill('boo*, shop_*')
    await form.getByLabel('How long it works').selectOption('30')
    await form.getByRole('checkbox', { name: 'documents.*' }).check()
    expect(await form.getByRole('checkbox', { name: 'documents.add' }).isChecked()).toBe(true)
    expect(await visitor.accessibilityProblems()).toEqual([])
    await form.getByRole('button', { name: 'Make the key' }).click()
    const made = page.getByRole('dialog', { name: 'The key was made' })
    const key = (await made.getByRole('region', { name: 'Key' }).textContent())!
    const { body } = await server.request('GET', `/keys/${key}`)
    expect(body).toMatchObject({ name: 'shop', actions: ['search', 'documents.*'], indexes: ['boo*', 'shop_*'] })
    const days = (Date.parse(String(body.expiresAt)) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
    await made.getByRole('button', { name: 'Done' }).click()

    const card = page.getByRole('listitem', { name: 'shop' })
    await card.waitFor()
    expect(await card.textContent()).not.toContain(key)
    await card.getByRole('button', { name: 'Show: shop' }).click()
    expect(await card.textContent()).toContain(key)

    await card.getByRole('button', { name: 'Change: shop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('<b>shop</b>')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: '<b>shop</b>' }).waitFor()

    await page.getByRole('button', { name: 'Delete: <b>shop</b>' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete this key?' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Delete: <b>shop</b>')
    await page.getByRole('button', { name: 'Delete: <b>shop</b>' }).click()
    await asked.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: '<b>shop</b>' }).waitFor({ state: 'detached' })
    expect((await server.request('GET', `/keys/${key}`)).status).toBe(404)
  })

  test('what the server does not take is said where it was typed', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('On which indexes').fill('no such name!')
    await form.getByRole('button', { name: 'Make the key' }).click()
    await form.getByText('invalid_api_key_indexes').waitFor()
    expect(await form.getByLabel('On which indexes').getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Escape')
  })

  test('an expired key is marked', async () => {
    const { page, server } = visitor
    const expiresAt = new Date(Date.now() + 1500).toISOString()
    await server.request('POST', '/keys', { name: 'short', actions: ['search'], indexes: ['*'], expiresAt })
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.getByRole('listitem', { name: 'short' }).waitFor()
          return page.getByRole('listitem', { name: 'short' }).getByText('expired').count()
        },
        { timeout: 10_000 },
      )
      .toBe(1)
  })

  test('a webhook is made, its secret stays hidden, and a change keeps it', async () => {
    const { page, server } = visitor
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByText('There are no webhooks').waitFor()
    await page.getByRole('button', { name: 'New webhook' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Address').fill('https://example.test/hook')
    await form.getByRole('button', { name: 'Another header' }).click()
    await form.getByLabel('Header', { exact: true }).fill('Authorization')
    await form.getByLabel('Value').fill('Bearer a-secret-token')
    expect(await visitor.accessibilityProblems()).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Bearer a-XXXX...').waitFor()

    await page.getByRole('button', { name: 'Change: https://example.test/hook' }).click()
    await form.getByLabel('Address').fill('https://example.test/other')
    await form.getByRole('button', { name: 'Another header' }).click()
    await form.getByLabel('Header', { exact: true }).last().fill('X-Shop')
    await form.getByLabel('Value').last().fill('1')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'https://example.test/other' }).waitFor()
    const { body } = await server.request<{ results: { headers: object }[] }>('GET', '/webhooks')
    expect(body.results[0]!.headers).toEqual({ Authorization: 'Bearer a-XXXX...', 'X-Shop': '1' })

    await page.getByRole('button', { name: 'Delete: https://example.test/other' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There are no webhooks').waitFor()
  })

  test('a tenant token that is made here is accepted, filters searches, and can be read', async () => {
    const { page, server } = visitor
    await visitor.open('#/keys?tab=tokens')
    await page.getByLabel('Key that signs it').selectOption({ label: 'Default Search API Key' })
    const rule = page.getByRole('group', { name: 'What may be searched 1' })
    await rule.getByLabel('Index').fill('boo*')
    await rule.getByLabel('Filter that is added').fill('tenant = 7')
    await page.getByRole('button', { name: 'Sign a token' }).click()
    const token = (await page.getByRole('region', { name: 'The token' }).textContent())!
    const search = (path: string) => server.request('POST', path, {}, { authorization: `Bearer ${token}` })
    const { body } = await search('/indexes/books/search')
    expect(body.hits).toEqual([{ id: 1, title: 'Red fox', tenant: 7 }])
    expect((await search('/indexes/films/search')).status).toBe(403)

    await page.getByLabel('Token', { exact: true }).fill(token)
    const payload = JSON.parse((await page.getByRole('region', { name: 'Payload' }).textContent())!)
    expect(payload.searchRules).toEqual({ 'boo*': { filter: 'tenant = 7' } })
    await page.getByText('It is good until').waitFor()
    const compared = page.getByLabel('A key to compare the signature with')
    await compared.fill('another')
    await page.getByText('The signature does not fit this key.').waitFor()
    const { body: keys } = await server.request<{ results: { name: string; key: string }[] }>('GET', '/keys')
    await compared.fill(keys.results.find(({ name }) => name === 'Default Search API Key')!.key)
    await page.getByText('The signature fits this key.').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await page.getByLabel('Token', { exact: true }).fill('nonsense')
    await page.getByText('This is no token').waitFor()
  })

  test('a key that may only list keys is offered nothing else', async () => {
    const { page, server } = visitor
    const asked = { actions: ['keys.get'], indexes: ['*'], expiresAt: null }
    const { body } = await server.request('POST', '/keys', asked)
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('textbox', { name: 'API key or master key' }).fill(String(body.key))
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('listitem', { name: 'Default Search API Key' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('button', { name: /^(New|Change|Delete)/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Webhooks', exact: true }).count()).toBe(0)
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})

describe.runIf(chromiumPath !== undefined)('keys of a server without a master key', () => {
  test('there are none, and it is said what to do', async () => {
    const visitor = await Visitor.come()
    try {
      await visitor.open('#/keys')
      await visitor.page.getByRole('heading', { name: 'This server has no master key' }).waitFor()
      expect(await visitor.accessibilityProblems()).toEqual([])
      expect(visitor.complaints).toEqual([])
    } finally {
      await visitor.leave()
    }
  }, 60_000)
})
