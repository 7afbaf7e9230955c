import { describe, expect, test } from 'vitest'
import {
  boolParam,
  checkQuery,
  commaList,
  doubleParam,
  enumParam,
  looseEnumParam,
  type Param,
  queryParam,
  refinedParam,
  requiredParam,
  starOrList,
  textParam,
  uint32Param,
  uintParam,
} from './query.js'

function read<T>(param: Param<T>, query: string): unknown {
  const checked = checkQuery({ p: queryParam(param, 'invalid_task_uids') }, query)
  return checked.ok ? checked.value.p : [checked.failure.code, checked.failure.message]
}

describe('values', () => {
  test.each<[string, Param<unknown>, unknown]>([
    ['p=a+b%20c', textParam, 'a b c'],
    ['p=', textParam, ''],
    ['p', textParam, ''],
    ['p=1&p=2', uintParam, 2],
    ['p=x&p=2', uintParam, 2],
    ['p=007', uintParam, 7],
    ['p=%2B7', uintParam, 7],
    ['p=0', uintParam, 0],
    ['p=00000000000000000000000018446744073709551615', uintParam, 2 ** 64],
    ['p=4294967295', uint32Param, 4294967295],
    ['p=true', boolParam, true],
    ['p=false', boolParam, false],
    ['p=-1.5e3', doubleParam, -1500],
    ['p=.5', doubleParam, 0.5],
    ['p=a,,b, c', commaList(textParam), ['a', 'b', ' c']],
    ['p=,,', commaList(uintParam), []],
    ['p=', commaList(uintParam), []],
    ['p=1,2', commaList(uintParam), [1, 2]],
    ['p=1,*,2', starOrList(uintParam), null],
    ['p=1,2', starOrList(uintParam), [1, 2]],
    ['p=', starOrList(uintParam), []],
    ['p=raw', enumParam(['raw', 'human']), 'raw'],
    ['p=UpgradeDatabase', looseEnumParam(['upgradeDatabase']), 'upgradeDatabase'],
    ['', uintParam, undefined],
    ['&&', uintParam, undefined],
  ])('%s', (query, param, value) => {
    expect(read(param, query)).toEqual(value)
  })

  test.each<[string, Param<unknown>]>([
    ['p=', uintParam],
    ['p=-1', uintParam],
    ['p=1.0', uintParam],
    ['p=+1', uintParam],
    ['p=%201', uintParam],
    ['p=1e3', uintParam],
    ['p=٣', uintParam],
    ['p=18446744073709551616', uintParam],
    [`p=${'9'.repeat(1000)}`, uintParam],
    ['p=4294967296', uint32Param],
    ['p=True', boolParam],
    ['p=1', boolParam],
    ['p=', boolParam],
    ['p=', doubleParam],
    ['p=1e999', doubleParam],
    ['p=NaN', doubleParam],
    ['p=0x1', doubleParam],
    ['p=Raw', enumParam(['raw', 'human'])],
    ['p=1,*,x', starOrList(uintParam)],
    ['p=ſtatus', looseEnumParam(['status'])],
  ])('%s is refused', (query, param) => {
    expect(read(param, query)).toEqual(['invalid_task_uids', expect.any(String)])
  })

  test('a wrong piece of several is named by its place', () => {
    expect(read(commaList(uintParam), 'p=1,x')).toEqual([
      'invalid_task_uids',
      'Parameter `p[1]`: a positive integer was expected, "x" was found.',
    ])
    expect(read(commaList(uintParam), 'p=x')).toEqual([
      'invalid_task_uids',
      'Parameter `p`: a positive integer was expected, "x" was found.',
    ])
  })

  test('a further rule gives a reason', () => {
    const even = refinedParam(uintParam, (value) => (value % 2 === 0 ? { ok: true, value } : 'it must be even'))
    expect(read(even, 'p=4')).toBe(4)
    expect(read(even, 'p=3')).toEqual(['invalid_task_uids', 'Parameter `p`: it must be even.'])
  })
})

describe('names', () => {
  const shape = {
    offset: queryParam(uintParam, 'invalid_index_offset'),
    limit: queryParam(uintParam, 'invalid_index_limit'),
  }
  const codeOf = (query: string) => {
    const checked = checkQuery(shape, query)
    return checked.ok ? checked.value : checked.failure.code
  }

  test('problems are reported in the order of the query string', () => {
    expect(codeOf('limit=x&offset=x')).toBe('invalid_index_limit')
    expect(codeOf('offset=x&limit=x')).toBe('invalid_index_offset')
    expect(codeOf('x=1&limit=x')).toBe('bad_request')
  })

  test('an unknown name is told with a suggestion and all known ones', () => {
    const checked = checkQuery(shape, 'ofset=1')
    expect(checked).toMatchObject({
      failure: { message: 'There is no parameter "ofset" (did you mean `offset`?); known are `offset`, `limit`.' },
    })
  })

  test('a parameter that is missing is told when all others are right', () => {
    const needs = { id: requiredParam(textParam, 'invalid_similar_id', 'bad_request'), ...shape }
    const outcome = (query: string) => {
      const checked = checkQuery(needs, query)
      return checked.ok ? checked.value : [checked.failure.code, checked.failure.message]
    }
    expect(outcome('id=1&limit=2')).toEqual({ id: '1', limit: 2 })
    expect(outcome('limit=2')).toEqual(['bad_request', 'Parameter `id`: it is missing.'])
    expect(outcome('limit=x')).toEqual(['invalid_index_limit', expect.any(String)])
  })

  test.each(['Offset=1', 'constructor=1', '__proto__=1', '?offset=1'])('%s is unknown', (query) => {
    expect(codeOf(query)).toBe('bad_request')
  })
})
