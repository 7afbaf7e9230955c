import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const MASTER_KEY = 'a master key of some length'

describe.runIf(chromiumPath !== undefined)('a server that wants a key', () => {
  let visitor: Visitor
  let searchKey: string

  beforeAll(async () => {
    visitor = await Visitor.come({ masterKey: MASTER_KEY })
    const { server } = visitor
    const { body } = await server.request('POST', '/indexes/books/documents', [{ id: 1, title: 'Dune' }])
    await server.waitTask(Number(body.taskUid))
    const { body: keys } = await server.request<{ results: { key: string; actions: string[] }[] }>('GET', '/keys')
    searchKey = keys.results.find(({ actions }) => actions.includes('search') && actions.length === 1)!.key
  }, 60_000)
  afterAll(() => visitor?.leave())

  const enter = async (key: string) => {
    await visitor.page.getByLabel('API key or master key').fill(key)
    await visitor.page.getByRole('button', { name: 'Enter' }).click()
  }

  test('asks for it, and says when it is a wrong one', async () => {
    const { page } = visitor
    await visitor.open()
    await page.getByRole('heading', { name: 'Findling' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await enter('not the key')
    await page.getByText('invalid_api_key').waitFor()
  })

  test('shows what a key for searches may do, and no more', async () => {
    const { page } = visitor
    await enter(searchKey)
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents()).toEqual([
      ...['Search', 'Relevance lab', 'Interface'],
    ])
    await page.getByRole('textbox', { name: 'Index' }).fill('books')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dune' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('forgets the key with the tab, and when it is told to', async () => {
    const { page } = visitor
    expect(await page.evaluate('localStorage.getItem("findling-key")')).toBeNull()
    await page.reload()
    await page.getByRole('heading', { name: 'Dune' }).waitFor()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByLabel('API key or master key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.getByRole('switch', { name: 'Keep it in this browser' }).check()
    await enter(MASTER_KEY)
    await page.getByRole('heading', { name: 'Dune' }).waitFor()
    expect(await page.evaluate('localStorage.getItem("findling-key")')).toBe(MASTER_KEY)
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
