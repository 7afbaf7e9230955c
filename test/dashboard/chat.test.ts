import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  asks,
  type FakeProvider,
  inTurn,
  says,
  searchFor,
  startFakeProvider,
} from '../../src/server/chats/provider.fake.js'
import { chromiumPath, Visitor } from './visitor.js'

const HOSTILE = '<img src=x onerror=alert(1)>'

describe.runIf(chromiumPath !== undefined)('conversations', () => {
  let visitor: Visitor
  let provider: FakeProvider

  beforeAll(async () => {
    provider = await startFakeProvider()
    visitor = await Visitor.come({ flags: ['--experimental-allowed-ip-networks', 'any'] })
    const books = [
      { id: 3, title: 'Owls at dusk' },
      { id: 4, title: 'Foxes' },
    ]
    const { body } = await visitor.server.request('POST', '/indexes/books/documents', books)
    await visitor.server.waitTask(Number(body.taskUid))
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('are switched on, given a workspace, and held, with their sources', async () => {
    const { page } = visitor
    await visitor.open('#/chat')
    await page.getByRole('button', { name: 'Switch conversations on' }).click()
    await page.getByRole('button', { name: 'New workspace' }).click()
    await page.getByRole('textbox', { name: 'Name of the workspace' }).fill('library')
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('vLlm')
    await page.getByRole('textbox', { name: 'Base address' }).fill(provider.url)
    expect(await visitor.accessibilityProblems()).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    provider.script = inTurn(
      asks({ id: 'call_1', arguments: searchFor('books', 'owls') }),
      says('You may like ', `Owls at dusk. ${HOSTILE}`),
    )
    await page.getByRole('textbox', { name: 'Model' }).fill('fake')
    await page.getByRole('textbox', { name: 'Question' }).fill('What is there about owls?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText(`You may like Owls at dusk. ${HOSTILE}`).waitFor()
    await page.getByText('Looked for “owls” in books: 1 documents').click()
    await page.getByRole('listitem').getByText('Owls at dusk').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('go on where they were, and failures of the provider are told', async () => {
    const { page } = visitor
    const before = provider.calls.length
    provider.script = says('As I said: owls.')
    await page.getByRole('textbox', { name: 'Question' }).fill('And again?')
    await page.keyboard.press('Enter')
    await page.getByText('As I said: owls.').waitFor()
    const roles = provider.calls[before]!.body.messages.map(({ role }: { role: string }) => role)
    expect(roles.filter((role: string) => role !== 'system' && role !== 'developer')).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'user'],
    ])
    provider.script = (response) =>
      void response
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{"error":{"type":"broken","message":"out of order"}}')
    await page.getByRole('textbox', { name: 'Question' }).fill('Still there?')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('out of order').waitFor()
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
