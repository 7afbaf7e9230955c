import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, Visitor } from './visitor.js'

describe.runIf(chromiumPath !== undefined)('vectors', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await Visitor.come()
    const { server } = visitor
    const settings = { embedders: { taste: { source: 'userProvided', dimensions: 2 } } }
    await server.request('PATCH', '/indexes/food/settings', settings)
    const food = [
      { id: 1, name: 'Lemon', _vectors: { taste: [1, 0] } },
      { id: 2, name: 'Lime', _vectors: { taste: [0.9, 0.1] } },
      { id: 3, name: 'Honey', _vectors: { taste: [0, 1] } },
      { id: 4, name: 'Water', _vectors: { taste: null } },
    ]
    const { body } = await server.request('POST', '/indexes/food/documents', food)
    await server.waitTask(Number(body.taskUid))
    await server.request('POST', '/indexes', { uid: 'plain' })
  }, 60_000)
  afterAll(() => visitor?.leave())

  test('how many documents have vectors, and by what', async () => {
    const { page } = visitor
    await visitor.open('#/vectors/food')
    await page.getByText('3 of 4 documents have vectors').waitFor()
    await page.getByRole('heading', { name: 'taste' }).waitFor()
    expect(await visitor.accessibilityProblems()).toEqual([])
  })

  test('similar documents of one, nearest first, and of those in turn', async () => {
    const { page } = visitor
    await visitor.open('#/vectors/food')
    await page.getByRole('textbox', { name: 'Id of a document' }).fill('1')
    await page.getByRole('button', { name: 'Find similar' }).click()
    const near = page.locator('.near li')
    await near.first().waitFor()
    expect(await near.first().textContent()).toContain('Lime')
    await page.getByRole('button', { name: 'Similar to 3' }).click()
    await expect.poll(() => near.first().textContent()).toContain('Lime')
    expect(await page.evaluate('location.hash')).toContain('id=3')
  })

  test('an index without an embedder says what one is good for, a document that is not there that it is not', async () => {
    const { page } = visitor
    await visitor.open('#/vectors/plain')
    await page.getByRole('heading', { name: 'This index has no embedder' }).waitFor()
    await visitor.open('#/vectors/food?id=77')
    await page.getByRole('alert').getByText('not_found_similar_id').waitFor()
    expect(visitor.strayRequests).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
