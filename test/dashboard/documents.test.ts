import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

const MEGABYTE = 1_000_000
const FIELDS = 3_000

/** On a busy machine too: a page that draws all of it takes far longer. */
const SOON_MS = 5_000

describe.runIf(chromiumPath !== undefined)('documents', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come()
  }, 60_000)
  afterAll(() => visitor?.leave())

  const hash = () => visitor.page.evaluate('location.hash')
  const rows = () => visitor.page.getByRole('list', { name: 'Documents' })

  test('a server without an index takes a file and makes one', async () => {
    const { page, server } = visitor
    await visitor.open('#/documents')
    await page.getByRole('heading', { name: 'There is no index yet' }).waitFor()
    await page.getByRole('button', { name: 'Upload a file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload documents' })
    expect(await visitor.accessibilityProblems()).toEqual([])
    await dialog.getByLabel('Choose files').setInputFiles(file('my books.csv', 'isbn,title\n1,Emma\n2,Persuasion\n'))
    expect(await dialog.getByLabel('Into the index').inputValue()).toBe('my-books')
    await dialog.getByLabel('Primary key').fill('isbn')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('2 documents indexed.').waitFor()
    await dialog.getByRole('button', { name: 'Show my-books' }).click()
    await rows().getByRole('button', { name: 'Persuasion' }).waitFor()
    expect(await hash()).toBe('#/documents/my-books')
    const { body } = await server.request('GET', '/indexes/my-books')
    expect(body.primaryKey).toBe('isbn')
  })

  test('an index without documents says how to add some, and a file is followed until it is indexed', async () => {
    const { page, server } = visitor
    await server.request('POST', '/indexes', { uid: 'many', primaryKey: 'id' })
    await done(await server.request('PATCH', '/indexes/many/settings', { ...SETTINGS }))
    await visitor.open('#/documents/many')
    await page.getByRole('heading', { name: 'This index has no documents yet' }).waitFor()
    const lines = Array.from({ length: 1_500 }, (_, id) => JSON.stringify({ id, title: `Book ${id}`, year: 2000 - id }))
    await drop('many.ndjson', lines.join('\n'))
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Into the index').inputValue()).toBe('many')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('1,500 documents indexed.').waitFor()
    await dialog.getByRole('button', { name: 'Show many' }).click()
    await page.getByText('1,500 documents', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Index' }).getByText('many (1,500)').waitFor({ state: 'attached' })
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('a file that cannot be read is explained, and one of another kind is not sent', async () => {
    const { page } = visitor
    await visitor.open('#/documents/many')
    await page.getByRole('button', { name: 'Upload a file' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Choose files').setInputFiles(file('picture.png', 'x'))
    await dialog.getByRole('alert').getByText('picture.png is neither JSON, NDJSON nor CSV').waitFor()
    expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Choose files').setInputFiles(file('broken.json', '[{"id":'))
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('alert').getByText('malformed_payload').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a file whose task fails shows the error of the task', async () => {
    const { page } = visitor
    await visitor.open('#/documents/many')
    await rows().waitFor()
    await drop('wrong.json', '[{"title":"without an id"}]')
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('dialog').getByRole('alert').getByText('missing_document_id').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  })

  test('hundreds of rows scroll by, and only those that can be seen exist', async () => {
    await visitor.open('#/documents/many')
    await rows().getByRole('button', { name: 'Book 0', exact: false }).first().waitFor()
    await expect
      .poll(
        async () => {
          await rows().evaluate((box) => box.scrollTo(0, box.scrollHeight))
          return rows().getByRole('button', { name: 'Book 1499' }).count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    expect(await rows().getByRole('button').count()).toBeLessThan(60)
  }, 90_000)

  test('order and filter are in the address, and a wrong filter is explained at its field', async () => {
    const { page } = visitor
    await visitor.open('#/documents/many')
    await page.getByRole('combobox', { name: 'Order' }).selectOption('year:asc')
    await rows().getByRole('button').first().getByText('Book 1499').waitFor()
    await page.getByRole('textbox', { name: 'Filter' }).fill('year >')
    const filter = page.getByRole('textbox', { name: 'Filter' })
    await page.getByText('invalid_document_filter').waitFor()
    expect(await filter.getAttribute('aria-invalid')).toBe('true')
    await filter.fill('year > 1997')
    await page
      .getByText('3 documents', { exact: true })
      .or(page.getByText('2 documents', { exact: true }))
      .waitFor()
    expect(await hash()).toBe('#/documents/many?sort=year%3Aasc&filter=year+%3E+1997')
    await page.reload()
    await rows().getByRole('button').first().getByText('Book 2').waitFor()
    await filter.fill('year > 5000')
    await page.getByRole('heading', { name: 'No document is like that' }).waitFor()
  })

  test('a document is opened, edited, and numbers that are too long for the page stay as they are', async () => {
    const { page, server } = visitor
    await done(
      await server.request('POST', '/indexes/many/documents', '[{"id":"long","title":"Old","n":12345678901234567}]'),
    )
    await visitor.open('#/documents/many?id=long')
    const sheet = page.getByRole('dialog', { name: 'long', exact: true })
    await sheet.getByText('Old').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await sheet.getByRole('button', { name: 'Edit' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit long' })
    const json = editor.getByLabel('The document as JSON')
    const before = await json.inputValue()
    expect(before).toBe('{\n  "id": "long",\n  "title": "Old",\n  "n": 12345678901234567\n}')
    await json.fill('{"id": "long", ')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByText('This is no JSON').waitFor()
    await json.fill('{"id": "other"}')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByText('has to stay long').waitFor()
    await json.fill(before.replace('Old', 'New'))
    await editor.getByRole('button', { name: 'Save' }).click()
    await sheet.getByText('New').waitFor()
    const { text } = await server.request('GET', '/indexes/many/documents/long')
    expect(text).toBe('{"id":"long","title":"New","n":12345678901234567}')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Edit')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
  })

  test('one is added and deleted again, after a question', async () => {
    const { page, server } = visitor
    await visitor.open('#/documents/many')
    await page.getByRole('button', { name: 'Add a document' }).click()
    const editor = page.getByRole('dialog')
    await editor.getByLabel('The document as JSON').fill('{"id": "mine", "title": "Mine"}')
    await editor.getByRole('button', { name: 'Add' }).click()
    await page.getByText('1,502 documents', { exact: true }).waitFor()
    await visitor.open('#/documents/many?id=mine')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the document mine?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1,501 documents', { exact: true }).waitFor()
    expect((await server.request('GET', '/indexes/many/documents/mine')).status).toBe(404)
  })

  test('hostile documents are text, and do not stall the page', async () => {
    const { page, server } = visitor
    const fields = Object.fromEntries(Array.from({ length: FIELDS }, (_, i) => [`field_${i}`, `value ${i}`]))
    const html = '<img src=x onerror="globalThis.isHarmed = true"><script>globalThis.isHarmed = true</script>'
    const documents = [
      { id: 'html', title: html, [html]: html, link: 'javascript:globalThis.isHarmed=true' },
      { id: 'long', title: 'Long', text: 'x'.repeat(MEGABYTE), words: 'word '.repeat(MEGABYTE / 5) },
      { id: 'wide', title: 'Wide', ...fields },
    ]
    await done(await server.request('POST', '/indexes/hostile/documents', documents))
    await visitor.open('#/documents/hostile')
    await rows().getByRole('button', { name: '<img src=x' }).click()
    await page.getByRole('dialog').getByText('javascript:globalThis').waitFor()
    expect(await page.locator('main img, main script, a[href^="javascript"], dialog img, dialog script').count()).toBe(
      0,
    )
    expect(await page.evaluate('globalThis.isHarmed')).toBeUndefined()
    await page.keyboard.press('Escape')

    const long = Date.now()
    await rows().getByRole('button', { name: 'Long' }).click()
    await page.getByRole('button', { name: '999,700 more characters' }).first().click()
    await page.getByRole('button', { name: '997,000 more characters' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('The document as JSON').pressSequentially(' ')
    expect(Date.now() - long).toBeLessThan(SOON_MS)
    await page.getByRole('dialog', { name: 'Edit long' }).getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('Escape')

    const wide = Date.now()
    await rows().getByRole('button', { name: 'Wide' }).click()
    await page.getByLabel(/Find one of 3,002 fields/).fill('field_2999')
    await page.getByRole('dialog').getByText('value 2999').waitFor()
    expect(Date.now() - wide).toBeLessThan(SOON_MS)
    await page.keyboard.press('Escape')
  }, 40_000)

  test('an index that does not exist can be made by a file', async () => {
    const { page } = visitor
    await visitor.open('#/documents/nowhere')
    await page.getByText('Drop a JSON, NDJSON or CSV file here').waitFor()
    await page.getByRole('button', { name: 'Upload a file' }).last().click()
    await page.getByText('There is no index of this name yet').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a narrow screen does not scroll sideways', async () => {
    const { page } = visitor
    await page.setViewportSize({ width: 390, height: 844 })
    await visitor.open('#/documents/hostile')
    await rows().getByRole('button').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })

  async function done({ body }: { body: Record<string, unknown> }): Promise<void> {
    await visitor.server.waitTask(Number(body.taskUid))
  }

  /** As from a desktop, onto the screen. */
  async function drop(name: string, text: string): Promise<void> {
    const transfer = await visitor.page.evaluateHandle(`{
      const moved = new DataTransfer()
      moved.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
      moved
    }`)
    await visitor.page.locator('.documents-screen').dispatchEvent('drop', { dataTransfer: transfer })
  }
})

describe.runIf(chromiumPath !== undefined)('documents, with a key that may only read', () => {
  test('show no way to change anything', async () => {
    const visitor = await Visitor.come({ masterKey: 'a-master-key-of-enough-bytes' })
    try {
      const { page, server } = visitor
      const { body } = await server.request('POST', '/indexes/some/documents', [{ id: 1, title: 'One' }])
      await server.waitTask(Number(body.taskUid))
      const { body: key } = await server.request('POST', '/keys', {
        actions: ['documents.get', 'indexes.get'],
        indexes: ['*'],
        expiresAt: null,
      })
      await visitor.open('#/documents/some')
      await page.getByLabel('API key or master key').fill(String(key.key))
      await page.getByRole('button', { name: 'Enter' }).click()
      await page.getByRole('list', { name: 'Documents' }).getByRole('button', { name: 'One' }).click()
      await page.getByRole('dialog').getByText('One').waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.getByRole('button', { name: /Edit|Delete|Add|Upload/ }).count()).toBe(0)
      expect(await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents()).toEqual([
        ...['Documents', 'Interface'],
      ])
    } finally {
      await visitor.leave()
    }
  }, 60_000)
})

const SETTINGS = { filterableAttributes: ['year'], sortableAttributes: ['year'] }

const file = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })
