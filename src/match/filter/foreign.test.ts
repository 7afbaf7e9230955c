import { expect, test } from 'vitest'
import type { Bitmap } from '../../bitmap/index.js'
import { fail, ok } from '../../errors/index.js'
import { evaluateFilter } from './evaluate.js'
import { FacetTwin } from './facet.twin.js'
import { targetOf, tree } from './filters.fixture.js'
import { type ForeignIndex, type Joins, resolveForeign } from './foreign.js'

const authors = Array.from({ length: 150 }, (_, i) => ({ id: `A${i}`, name: i === 2 ? 'Bob' : 'Ann', born: i }))
const books = new FacetTwin([{ author: 'a2' }, { author: ['A3', 'a2'] }, { author: 'a3', genre: 'x' }, {}])

function joinsOf(changes: Partial<Joins> = {}): Joins {
  const target = targetOf(new FacetTwin(authors), ['name', { patterns: ['born'], equality: true }])
  const index: ForeignIndex = { ...target, indexUid: 'authors', documentId: (docId) => authors[docId]!.id }
  return {
    indexUid: 'books',
    foreignKeys: [
      { foreignIndexUid: 'authors', fieldName: 'author' },
      { foreignIndexUid: 'missing', fieldName: 'publisher' },
      { foreignIndexUid: 'missing', fieldName: 'author' },
    ],
    open: (uid) => (uid === 'authors' ? ok(index) : fail('index_not_found', uid)),
    found: new Map<string, Bitmap>(),
    ...changes,
  }
}

function found(filter: string): number[] {
  const resolved = resolveForeign(tree(filter), joinsOf())
  if (!resolved.ok) throw new Error(resolved.failure.message)
  const docIds = evaluateFilter(resolved.value, targetOf(books, ['author', 'genre']), 'invalid_search_filter')
  return docIds.ok ? [...docIds.value] : []
}

function refused(filter: string, joins = joinsOf()): { code: string; message: string } | undefined {
  const resolved = resolveForeign(tree(filter), joins)
  return resolved.ok ? undefined : resolved.failure
}

test('documents are found by what their foreign documents say', () => {
  expect(found('_foreign(author, name = bob)')).toEqual([0, 1])
  expect(found('NOT _foreign(author, name = bob)')).toEqual([2, 3])
  expect(found('_foreign(author, name = nobody)')).toEqual([])
})

test('each of several foreign filters counts at its own place', () => {
  expect(found('genre = x AND (_foreign(author, name = bob) OR _foreign(author, born = 3))')).toEqual([2])
  expect(found('_foreign(author, born = 3) AND NOT _foreign(author, name = bob)')).toEqual([2])
})

test('the field must be a foreign key of the index', () => {
  expect(refused('_foreign(title, name = x)')).toEqual({
    code: 'invalid_search_filter',
    message: expect.stringContaining('"title"'),
  })
  expect(refused('_foreign(author, name = x)', joinsOf({ foreignKeys: [] }))?.message).toContain(
    'foreign keys are: none',
  )
})

test('foreign filters do not nest', () => {
  const nested = refused('_foreign(author, name = x AND NOT _foreign(author, name = y))')
  expect(nested?.code).toBe('invalid_search_filter')
})

test('a missing foreign index is not found', () => {
  expect(refused('_foreign(publisher, name = x)')?.code).toBe('index_not_found')
})

test('problems of the inner filter name the foreign index', () => {
  expect(refused('_foreign(author, age = 1)')).toEqual({
    code: 'invalid_document_filter',
    message: expect.stringContaining('Index `authors`'),
  })
  expect(refused('_foreign(author, born > 1)')?.code).toBe('invalid_search_filter')
})

test('at most 100 documents of a foreign index may be found by all filters of a request together', () => {
  const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i).join(',')
  expect(refused(`_foreign(author, born IN [${upTo(0, 100)}])`)).toBeUndefined()
  expect(refused(`_foreign(author, born IN [${upTo(0, 101)}])`)).toEqual({
    code: 'invalid_search_filter',
    message: expect.stringContaining('100'),
  })
  const request = joinsOf()
  expect(refused(`_foreign(author, born IN [${upTo(0, 60)}])`, request)).toBeUndefined()
  expect(refused(`_foreign(author, born IN [${upTo(30, 100)}])`, request)).toBeUndefined()
  expect(refused('_foreign(author, born = 120)', request)?.code).toBe('invalid_search_filter')
})

test('a filter that still holds a foreign part cannot be evaluated', () => {
  const filter = tree('_foreign(author, name = bob)')
  expect(() => evaluateFilter(filter, targetOf(books, ['author']), 'invalid_search_filter')).toThrow('resolved')
})
