import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageWindow, printTotals } from './page-window.js'
import type { Paging } from './search-query.js'

const paging = (given: Partial<Paging>): Paging => ({ offset: 0, limit: 20, page: null, hitsPerPage: null, ...given })

describe('which documents are shown', () => {
  test.each<[Partial<Paging>, number, number, number]>([
    [{}, 0, 20, 20],
    [{ limit: 1500 }, 0, 1500, 1000],
    [{ offset: 800, limit: 400 }, 800, 400, 1000],
    [{ page: 3 }, 40, 20, 60],
    [{ hitsPerPage: 5, offset: 7, limit: 7 }, 0, 5, 5],
    [{ page: 3, hitsPerPage: 600 }, 1200, 600, 1000],
    [{ page: 0, hitsPerPage: 5 }, 0, 0, 0],
    [{ hitsPerPage: 0 }, 0, 0, 0],
  ])('%j: skip %i, take %i, rank %i', (given, skip, take, depth) => {
    expect(pageWindow(paging(given), 1000)).toMatchObject({ skip, take, depth })
  })

  test('never more than may be had', () => {
    const count = fc.option(fc.nat(2000))
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), count, count, fc.nat(1000), (offset, limit, page, hitsPerPage, most) => {
        const { skip, take, depth } = pageWindow({ offset, limit, page, hitsPerPage }, most)
        const ranked = Array.from({ length: depth }, (_, i) => i)
        const shown = ranked.slice(skip, skip + take)
        expect(shown.length).toBeLessThanOrEqual(page === null && hitsPerPage === null ? limit : (hitsPerPage ?? 20))
        for (const place of shown) expect(place).toBeLessThan(most)
      }),
    )
  })
})

test('the largest number of the interface is printed with all its digits', () => {
  const given = paging({ limit: 2 ** 64, offset: 1e21 })
  expect(printTotals(given, pageWindow(given, 1000), 5)).toBe(
    '"limit":18446744073709551616,"offset":1000000000000000000000,"estimatedTotalHits":5',
  )
})
