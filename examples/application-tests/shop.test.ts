/** The tests of the application run against a real index in a folder of their own: what they say holds in production. */
import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Index, openIndex } from 'findling/engine'
import { type Article, Shop, shopSettings } from './shop.js'

const folder = mkdtempSync(join(tmpdir(), 'shop-'))
let index: Index<Article>
let shop: Shop

before(async () => {
  index = await openIndex<Article>(folder, { primaryKey: 'id' })
  await index.updateSettings(shopSettings)
  await index.addDocuments([
    { id: 1, name: 'Blue sofa', price: 900, inStock: true },
    { id: 2, name: 'Red couch', price: 700, inStock: true },
    { id: 3, name: 'Green couch', price: 500, inStock: false },
  ])
  shop = new Shop(index)
})

after(async () => {
  await index.close()
  rmSync(folder, { recursive: true })
})

test('a sofa is a couch', async () => {
  deepEqual(await shop.find('sofa', 1000), ['Red couch', 'Blue sofa'])
})

test('what is too expensive or sold out is not offered', async () => {
  deepEqual(await shop.find('couch', 800), ['Red couch'])
})

test('people mistype', async () => {
  deepEqual(await shop.find('blue soffa', 1000), ['Blue sofa'])
})
