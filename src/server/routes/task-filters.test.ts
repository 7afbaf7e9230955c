import { describe, expect, test } from 'vitest'
import { checkQuery } from '../../shape/index.js'
import { FULL_ACCESS } from '../../state/index.js'
import { taskTypes } from '../../tasks/index.js'
import { parseTimestamp } from '../../time/index.js'
import { filterQuery, indexScope, listQuery, pageRequest, taskFilter } from './task-filters.js'

function filterOf(query: string) {
  const checked = checkQuery(listQuery, query)
  if (!checked.ok) throw new Error(checked.failure.message)
  return taskFilter(checked.value)
}

function refusalOf(query: string) {
  const checked = checkQuery(listQuery, query)
  if (checked.ok) throw new Error('was accepted')
  return checked.failure
}

/** Only the members that restrict something. */
const restrictions = (query: string) =>
  Object.fromEntries(Object.entries(filterOf(query)).filter(([, value]) => value != null))

describe('lists', () => {
  test('are split at commas, without empty pieces', () => {
    expect(restrictions('uids=1,,2,&batchUids=3&canceledBy=4')).toEqual({
      uids: [1, 2],
      batchUids: [3],
      canceledBy: [4],
    })
    expect(restrictions('indexUids=a,B-1_')).toEqual({ indexUids: ['a', 'B-1_'] })
  })

  test('an empty value is an empty list, which is a restriction', () => {
    expect(restrictions('uids=&types=&indexUids=,')).toEqual({ uids: [], types: [], indexUids: [] })
  })

  test('a star means no restriction, and the other pieces must be valid all the same', () => {
    expect(restrictions('uids=1,*&types=*&statuses=*&indexUids=*&batchUids=*&canceledBy=*')).toEqual({})
    expect(refusalOf('uids=cat,*')).toMatchObject({ code: 'invalid_task_uids' })
    expect(refusalOf('indexUids=*,no way')).toMatchObject({ code: 'invalid_index_uid' })
  })

  test('a bad piece is named with its position when there are several', () => {
    expect(refusalOf('uids=78,hello').message).toMatch(/`uids\[1\]`.*"hello"/)
    expect(refusalOf('uids=hello').message).toMatch(/`uids`.*"hello"/)
  })

  test('types and statuses are read in any case', () => {
    expect(restrictions('types=UpgradeDatabase,INDEXCREATION&statuses=Succeeded')).toEqual({
      types: ['upgradeDatabase', 'indexCreation'],
      statuses: ['succeeded'],
    })
  })

  test('an unknown type is answered with all that there are', () => {
    const { code, message } = refusalOf('types=createIndex')
    expect(code).toBe('invalid_task_types')
    expect(taskTypes).toHaveLength(16)
    for (const type of taskTypes) expect(message).toContain(`\`${type}\``)
  })
})

describe('dates', () => {
  const instant = (text: string) => parseTimestamp(text)!

  test('a full time is a bound as it stands', () => {
    expect(restrictions('beforeEnqueuedAt=2021-12-03T10:00:00.5Z&afterStartedAt=2021-12-03T10:00:00%2B02:00')).toEqual({
      enqueuedAt: { before: instant('2021-12-03T10:00:00.5Z') },
      startedAt: { after: instant('2021-12-03T08:00:00Z') },
    })
  })

  test('a day ends before itself, and begins after itself', () => {
    expect(restrictions('afterFinishedAt=2021-12-03&beforeFinishedAt=2021-12-03')).toEqual({
      finishedAt: { after: instant('2021-12-04T00:00:00Z'), before: instant('2021-12-03T00:00:00Z') },
    })
  })

  test('a star is no bound', () => {
    expect(restrictions('afterEnqueuedAt=*&beforeEnqueuedAt=*')).toEqual({})
    expect(restrictions('afterEnqueuedAt=*&beforeEnqueuedAt=2021-12-03')).toEqual({
      enqueuedAt: { before: instant('2021-12-03T00:00:00Z') },
    })
  })

  test.each(['2021', '2021-12', '2021-12-03T23:45', '2021-13-01', 'doggo', '', '2021-12-03T10:00:00+02:00'])(
    '"%s" is refused',
    (text) => {
      expect(refusalOf(`afterFinishedAt=${text}`)).toMatchObject({ code: 'invalid_task_after_finished_at' })
    },
  )

  test.each([
    ['afterEnqueuedAt', 'invalid_task_after_enqueued_at'],
    ['beforeEnqueuedAt', 'invalid_task_before_enqueued_at'],
    ['afterStartedAt', 'invalid_task_after_started_at'],
    ['beforeStartedAt', 'invalid_task_before_started_at'],
    ['beforeFinishedAt', 'invalid_task_before_finished_at'],
  ])('a bad %s has the code %s and is named', (name, code) => {
    const failure = refusalOf(`${name}=2021`)
    expect(failure.code).toBe(code)
    expect(failure.message).toMatch(new RegExp(`\`${name}\`.*"2021"`))
  })
})

describe('pages', () => {
  const page = (query: string) => {
    const checked = checkQuery(listQuery, query)
    return checked.ok ? pageRequest(checked.value) : checked.failure.code
  }

  test('show twenty, newest first, unless told otherwise', () => {
    expect(page('')).toEqual({ limit: 20, from: null, reverse: false })
    expect(page('limit=3&from=0&reverse=true')).toEqual({ limit: 3, from: 0, reverse: true })
  })

  test.each([
    ['limit=-1', 'invalid_task_limit'],
    ['limit=*', 'invalid_task_limit'],
    ['limit=4294967296', 'invalid_task_limit'],
    ['from=*', 'invalid_task_from'],
    ['reverse=*', 'invalid_task_reverse'],
    ['reverse=True', 'invalid_task_reverse'],
  ])('%s is refused', (query, code) => {
    expect(page(query)).toBe(code)
  })
})

test('the first problem of the query string is the one reported', () => {
  expect(refusalOf('limit=x&uids=y').code).toBe('invalid_task_limit')
  expect(refusalOf('uids=y&limit=x').code).toBe('invalid_task_uids')
  expect(refusalOf('lol=1&uids=y')).toMatchObject({ code: 'bad_request' })
})

test('of repeated parameters the last counts', () => {
  expect(restrictions('uids=1&uids=2')).toEqual({ uids: [2] })
})

test('filters alone know nothing of pages', () => {
  for (const name of ['limit', 'from', 'reverse']) {
    expect(checkQuery(filterQuery, `${name}=1`)).toMatchObject({ ok: false, failure: { code: 'bad_request' } })
  }
})

test('somebody who may see all indexes has no scope', () => {
  expect(indexScope(FULL_ACCESS)).toBeNull()
  const scope = indexScope({ ...FULL_ACCESS, isUnrestricted: false, isIndexAllowed: (uid) => uid === 'a' })
  expect([scope?.('a'), scope?.('b')]).toEqual([true, false])
})
