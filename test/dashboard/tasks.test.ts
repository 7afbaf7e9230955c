import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

describe.runIf(chromiumPath !== undefined)('tasks', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come()
  }, 60_000)
  afterAll(() => visitor?.leave())

  const table = () => visitor.page.getByRole('table', { name: 'Tasks', exact: true })
  const row = (name: string) => table().getByRole('row').filter({ hasText: name })

  test('a server that did nothing yet says what tasks are', async () => {
    const { page } = visitor
    await visitor.open('#/tasks')
    await page.getByRole('heading', { name: 'There are no tasks yet' }).waitFor()
    await page.getByText('Nothing is running.').waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('tasks appear by themselves, with what became of them', async () => {
    const { page, server } = visitor
    await visitor.open('#/tasks')
    await page.getByRole('heading', { name: 'There are no tasks yet' }).waitFor()
    await send('POST', '/indexes/books/documents', [{ id: 1 }, { id: 2 }])
    await send('POST', '/indexes/films/documents', [{ title: 'without an id' }])
    await send('PATCH', '/indexes/books/settings', { sortableAttributes: ['id'] })
    await row('settingsUpdate').getByText('Succeeded').waitFor()
    await row('films').getByText('index_primary_key_no_candidate_found').waitFor()
    await row('books').getByText('2 documents indexed').waitFor()
    expect(await table().locator('tbody tr').count()).toBe(3)
    expect(await visitor.accessibilityProblems()).toEqual([])
    await server.request('POST', '/indexes', { uid: 'third' })
    await row('indexCreation').waitFor()
  })

  test('filters are in the address', async () => {
    const { page } = visitor
    await visitor.open('#/tasks')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed')
    await expect.poll(() => table().locator('tbody tr').count()).toBe(1)
    expect(await page.evaluate('location.hash')).toBe('#/tasks?status=failed')
    await page.reload()
    await row('films').getByText('Failed').waitFor()
    await page.getByRole('combobox', { name: 'Type' }).selectOption('dumpCreation')
    await page.getByRole('heading', { name: 'No task is like that' }).waitFor()
    await page.getByRole('button', { name: 'All tasks' }).click()
    await page.getByLabel('Batch', { exact: true }).fill('0')
    await expect.poll(() => table().locator('tbody tr').count()).toBe(1)
    await page.getByLabel('Batch', { exact: true }).fill('x')
    await page.getByRole('alert').getByText('invalid_batch_uids').waitFor()
  })

  test('a task shows its error and its batch, by keyboard too', async () => {
    const { page } = visitor
    await visitor.open('#/tasks?status=failed')
    await row('films').getByRole('link').focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Task 1' })
    await sheet.getByText('index_primary_key_no_candidate_found').first().waitFor()
    await sheet.getByRole('link', { name: 'About this error' }).waitFor()
    await sheet.getByRole('heading', { name: 'Time of each step' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('location.hash')).toBe('#/tasks?status=failed')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('documentAdditionOrUpdate')
  })

  test('the chart has units, a range of time, and a table for those who cannot see it', async () => {
    const { page } = visitor
    await visitor.open('#/tasks')
    const charts = page.getByRole('region', { name: 'Statistics of the tasks that are shown' })
    await charts.getByText(/^Shortest [\d.]+ (µs|ms|s), median [\d.]+ (µs|ms|s), longest [\d.]+ (µs|ms|s)$/).waitFor()
    expect(await charts.locator('.time-range time').count()).toBe(4)
    const cells = await charts.getByRole('table').locator('td').allTextContents()
    expect(cells.reduce((total, cell) => total + Number(cell), 0)).toBe(4)
  })

  test('chosen tasks are deleted after a question that says how many', async () => {
    const { page } = visitor
    await visitor.open('#/tasks')
    await page.getByRole('checkbox', { name: 'Choose task 0' }).check()
    await page.getByRole('checkbox', { name: 'Choose task 2' }).check()
    await page.getByRole('button', { name: 'Delete 2 chosen…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 2 tasks?' })
    expect(await visitor.accessibilityProblems()).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete 2 chosen…' }).click()
    await question.getByRole('button', { name: 'Delete 2 tasks' }).click()
    await row('taskDeletion').getByText('2 tasks deleted').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Choose task 0' }).count()).toBe(0)
  })

  test('all that a filter lets through are deleted, and nothing is canceled where all is finished', async () => {
    const { page } = visitor
    await visitor.open('#/tasks?status=failed')
    await row('films').waitFor()
    await page.getByRole('button', { name: 'Cancel all that are shown…' }).click()
    await page.getByText('None of them can be canceled: they are finished.').waitFor()
    await page.getByRole('button', { name: 'Delete all that are shown…' }).click()
    await page.getByRole('dialog', { name: 'Delete 1 task?' }).getByRole('button', { name: 'Delete 1 task' }).click()
    await page.getByRole('heading', { name: 'No task is like that' }).waitFor()
  })

  test('the running batch shows its progress, and is canceled', async () => {
    const { page } = visitor
    await visitor.open('#/tasks')
    await page.getByText('Nothing is running.').waitFor()
    const embedder = await SlowEmbedder.listen()
    const embedders = { default: { ...REST, url: embedder.url } }
    await visitor.server.request('PATCH', '/indexes/books/settings', { embedders })
    await page.getByRole('progressbar', { name: /^Progress of batch/ }).waitFor()
    await page.getByText('processing tasks').waitFor()
    await row('books').getByText('Processing').waitFor()
    await page.getByRole('button', { name: 'Cancel all that are not finished…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 task' }).click()
    embedder.answer()
    await row('books').getByText('Canceled').waitFor()
    await page.getByText('Nothing is running.').waitFor()
    await embedder.close()
  }, 60_000)

  test('older tasks are on the next page, and the browser leads back', async () => {
    const { page } = visitor
    for (let i = 0; i < 105; i++) await send('POST', '/indexes', { uid: `index-${i}` })
    await visitor.open('#/tasks?type=indexCreation')
    await row('index-104').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await row('index-0').first().waitFor()
    expect(await page.evaluate('location.hash')).toMatch(/^#\/tasks\?type=indexCreation&from=\d+$/)
    await page.goBack()
    await row('index-104').waitFor()
  }, 30_000)

  test('a narrow screen does not scroll sideways', async () => {
    const { page } = visitor
    await page.setViewportSize({ width: 390, height: 844 })
    await visitor.open('#/tasks')
    await table().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('nothing was asked of anybody else, and the page kept its policy', () => {
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })

  async function send(method: string, path: string, body: unknown): Promise<void> {
    const answer = await visitor.server.request(method, path, body)
    await visitor.server.waitTask(Number(answer.body.taskUid))
  }
})

describe.runIf(chromiumPath !== undefined)('tasks, with a key that may only read them', () => {
  test('show no way to change them', async () => {
    const visitor = await Visitor.come({ masterKey: 'a-master-key-of-enough-bytes' })
    try {
      const { page, server } = visitor
      const { body } = await server.request('POST', '/indexes', { uid: 'some' })
      await server.waitTask(Number(body.taskUid))
      const { body: key } = await server.request('POST', '/keys', {
        actions: ['tasks.get'],
        indexes: ['*'],
        expiresAt: null,
      })
      await visitor.open('#/tasks')
      await page.getByLabel('API key or master key').fill(String(key.key))
      await page.getByRole('button', { name: 'Enter' }).click()
      await page.getByRole('link', { name: 'indexCreation' }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.getByRole('checkbox').count()).toBe(0)
      expect(await page.getByRole('button', { name: /Cancel|Delete/ }).count()).toBe(0)
    } finally {
      await visitor.leave()
    }
  }, 60_000)
})

const REST = {
  source: 'rest',
  dimensions: 2,
  request: { texts: ['{{text}}', '{{..}}'] },
  response: { vectors: ['{{embedding}}', '{{..}}'] },
}

/** Keeps a batch running until it may answer. */
class SlowEmbedder {
  private mayAnswer!: () => void
  private readonly permission = new Promise<void>((resolve) => void (this.mayAnswer = resolve))
  private readonly server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    await this.permission
    const { texts } = JSON.parse(body) as { texts: string[] }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ vectors: texts.map(() => [0, 1]) }))
  })

  static async listen(): Promise<SlowEmbedder> {
    const embedder = new SlowEmbedder()
    await new Promise<void>((resolve) => embedder.server.listen(0, '127.0.0.1', resolve))
    return embedder
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  answer(): void {
    this.mayAnswer()
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(resolve))
  }
}
