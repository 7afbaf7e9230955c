/** A part of an application: the search of a shop. It is handed its index, so that tests can hand it another. */
import type { Index } from 'findling/engine'

export interface Article {
  id: number
  name: string
  price: number
  inStock: boolean
}

export const shopSettings = {
  searchableAttributes: ['name'],
  filterableAttributes: ['price', 'inStock'],
  sortableAttributes: ['price'],
  synonyms: { sofa: ['couch'], couch: ['sofa'] },
}

export class Shop {
  constructor(private readonly index: Index<Article>) {}

  async find(q: string, budget: number): Promise<string[]> {
    const { hits } = await this.index.search({
      q,
      filter: `inStock = true AND price <= ${budget}`,
      sort: ['price:asc'],
    })
    return hits.map(({ name }) => name)
  }
}
