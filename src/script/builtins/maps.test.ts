import { expect, test } from 'vitest'
import { failure, value } from '../testing.fixture.js'

// Spec 3 §6.5, one test for each function of maps. `after` shows a map after an in-place function, and what that
// returned.

const after = (call: string, map: string) => value(`let m = ${map}; let r = m.${call}; [m, r]`)

test('len, is_empty, contains and get', () => {
  expect(
    value('[#{a: 1}.len(), #{}.is_empty(), #{a: ()}.contains("a"), #{}.contains("a"), #{a: 1}.get("a"), #{}.get("a")]'),
  ).toBe('[1,true,true,false,1,null]')
})

test('len without parentheses is the key of that name', () => {
  expect(value('[#{a: 1}.len, #{len: 5}.len]')).toBe('[null,5]')
})

test('keys and values come in the order of bytes', () => {
  expect(value('let m = #{"b": 1, "😀": 2, "\uFFFD": 3, "a": 4}; [m.keys(), m.values()]')).toBe(
    '[["a","b","\uFFFD","😀"],[4,1,3,2]]',
  )
})

test('set, clear and remove', () => {
  expect(after('set("a", 2)', '#{a: 1}')).toBe('[{"a":2},null]')
  expect(after('clear()', '#{a: 1}')).toBe('[{},null]')
  expect(after('remove("a")', '#{a: 1, b: 2}')).toBe('[{"b":2},1]')
  expect(after('remove("x")', '#{a: 1}')).toBe('[{"a":1},null]')
})

test('mixin overwrites, fill_with adds only missing keys', () => {
  expect(after('mixin(#{a: 2, b: 3})', '#{a: 1}')).toBe('[{"a":2,"b":3},null]')
  expect(after('fill_with(#{a: 2, b: 3})', '#{a: 1}')).toBe('[{"a":1,"b":3},null]')
})

test('map and filter take (key[, value]), or the value as `this`', () => {
  expect(value('[#{a: 1}.map(|k, v| k + v), #{a: 1}.map(|k| k + this), #{a: 1}.map(|| this + 1)]')).toBe(
    '[{"a":"a1"},{"a":"a1"},{"a":2}]',
  )
  expect(value('#{a: 1, b: 2, c: 3}.filter(|k, v| k == "a" || v == 3)')).toBe('{"a":1,"c":3}')
})

test('drain removes and returns, retain keeps and returns the others', () => {
  expect(after('drain(|k| this > 1)', '#{a: 1, b: 2}')).toBe('[{"a":1},{"b":2}]')
  expect(after('retain(|k, v| v > 1)', '#{a: 1, b: 2}')).toBe('[{"b":2},{"a":1}]')
})

test('to_json writes JSON', () => {
  expect(value('parse_json(#{b: [1, 2.0, ()], a: "x\\"", c: \'y\'}.to_json())')).toBe(
    '{"a":"x\\"","b":[1,2.0,null],"c":"y"}',
  )
  expect(value('#{b: 1.0, a: #{}}.to_json()')).toBe(JSON.stringify('{"a":{},"b":1.0}'))
  expect(failure('#{f: || 1}.to_json()')).toBe('JSON cannot hold a value of type Fn (line 1, position 12)')
})
