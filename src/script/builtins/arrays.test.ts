import { expect, test } from 'vitest'
import { failure, value } from '../testing.fixture.js'

// Spec 3 §6.5, one test for each function of arrays. `after` shows an array after an in-place function, and what
// that returned.

const after = (call: string, array: string) => value(`let a = ${array}; let r = a.${call}; [a, r]`)

test('len and is_empty, with and without parentheses', () => {
  expect(value('[[1, 2].len, [].len(), [].is_empty, [1].is_empty()]')).toBe('[2,0,true,false]')
})

test('contains and index_of compare with ==', () => {
  expect(value('[[1, [2]].contains(1.0), [1, [2]].contains([2]), [1].contains("1")]')).toBe('[true,true,false]')
  expect(value('[[1, 2, 1].index_of(1), [1, 2, 1].index_of(1, 1), [1, 2, 1].index_of(1, -1), [1].index_of(5)]')).toBe(
    '[0,2,2,-1]',
  )
  expect(value('[[1, 2, 3].index_of(|x| x > 1), [1, 2, 3].index_of(|x| x > 1, 2), [1].index_of(|x| false)]')).toBe(
    '[1,2,-1]',
  )
})

test('get and set do nothing at invalid positions', () => {
  expect(value('let a = [1, 2]; a.set(-1, 9); a.set(5, 9); [a, a.get(-1), a.get(2), a.get(-3)]')).toBe(
    '[[1,9],9,null,null]',
  )
})

test('push, append and insert', () => {
  expect(after('push([2])', '[1]')).toBe('[[1,[2]],null]')
  expect(after('append([2, 3])', '[1]')).toBe('[[1,2,3],null]')
  expect(after('insert(1, 9)', '[1, 2]')).toBe('[[1,9,2],null]')
  expect(after('insert(-1, 9)', '[1, 2]')).toBe('[[1,9,2],null]')
  expect(after('insert(99, 9)', '[1, 2]')).toBe('[[1,2,9],null]')
})

test('pad fills up to a length', () => {
  expect(after('pad(4, 0)', '[1, 2]')).toBe('[[1,2,0,0],null]')
  expect(after('pad(1, 0)', '[1, 2]')).toBe('[[1,2],null]')
  expect(value('let a = []; a.pad(2, []); a[0].push(1); a')).toBe('[[1],[]]')
})

test('pop, shift and remove give the removed element or ()', () => {
  expect(after('pop()', '[1, 2]')).toBe('[[1],2]')
  expect(after('pop()', '[]')).toBe('[[],null]')
  expect(after('shift()', '[1, 2]')).toBe('[[2],1]')
  expect(after('shift()', '[]')).toBe('[[],null]')
  expect(after('remove(-2)', '[1, 2, 3]')).toBe('[[1,3],2]')
  expect(after('remove(7)', '[1]')).toBe('[[1],null]')
})

test('clear, truncate, chop and reverse', () => {
  expect(after('clear()', '[1]')).toBe('[[],null]')
  expect(after('truncate(2)', '[1, 2, 3]')).toBe('[[1,2],null]')
  expect(after('truncate(-1)', '[1, 2, 3]')).toBe('[[],null]')
  expect(after('truncate(9)', '[1, 2, 3]')).toBe('[[1,2,3],null]')
  expect(after('chop(2)', '[1, 2, 3]')).toBe('[[2,3],null]')
  expect(after('chop(0)', '[1, 2, 3]')).toBe('[[],null]')
  expect(after('chop(9)', '[1, 2, 3]')).toBe('[[1,2,3],null]')
  expect(after('reverse()', '[1, 2, 3]')).toBe('[[3,2,1],null]')
})

test('extract copies a part', () => {
  expect(
    value('let a = [1, 2, 3, 4]; [a.extract(2), a.extract(-3, 2), a.extract(1..3), a.extract(1..=1), a.extract(9)]'),
  ).toBe('[[3,4],[2,3],[2,3],[2],[]]')
})

test('splice replaces a part', () => {
  expect(after('splice(1, 2, [9])', '[1, 2, 3, 4]')).toBe('[[1,9,4],null]')
  expect(after('splice(1..3, [8, 9, 10])', '[1, 2, 3, 4]')).toBe('[[1,8,9,10,4],null]')
  expect(after('splice(-1, 0, [9])', '[1, 2]')).toBe('[[1,9,2],null]')
})

test('split keeps the head and returns the tail', () => {
  expect(after('split(1)', '[1, 2, 3]')).toBe('[[1],[2,3]]')
  expect(after('split(-1)', '[1, 2, 3]')).toBe('[[1,2],[3]]')
})

test('map and filter take (element[, index]), or the element as `this`', () => {
  expect(value('[[1, 2].map(|x| x * 2), [5, 6].map(|x, i| x * i), [1, 2].map(|| this + 1)]')).toBe(
    '[[2,4],[0,6],[2,3]]',
  )
  expect(value('[[1, 2, 3].filter(|x| x > 1), [5, 6].filter(|x, i| i == 0), [1, 2].filter(|| this == 2)]')).toBe(
    '[[2,3],[5],[2]]',
  )
})

test('`this` of map is a copy', () => {
  expect(value('let a = [[1], [2]]; a[0].push(1); let b = a.map(|| { this.push(9); this }); [a, b]')).toBe(
    '[[[1,1],[2]],[[1,1,9],[2,9]]]',
  )
})

test('find and find_map', () => {
  expect(value('[[1, 2, 3].find(|x| x > 1), [1, 2, 3].find(|x| x > 1, 2), [1].find(|x| false)]')).toBe('[2,3,null]')
  expect(value('[[1, 2].find_map(|x| if x > 1 { "b" }), [1].find_map(|x| ()), [1, 2].find_map(|x| x, 1)]')).toBe(
    '["b",null,2]',
  )
})

test('some and all', () => {
  expect(value('[[1, 2].some(|x| x > 1), [1].some(|x| x > 1), [1, 2].all(|x| x > 1), [].all(|x| false)]')).toBe(
    '[true,false,false,true]',
  )
})

test('for_each binds `this` to the element, which may be changed', () => {
  expect(after('for_each(|| this *= 10)', '[1, 2]')).toBe('[[10,20],null]')
  expect(after('for_each(|i| this = [this, i])', '[1, 2]')).toBe('[[[1,0],[2,1]],null]')
  expect(after('for_each(|| this = ())', '[1, 2]')).toBe('[[null,null],null]')
})

test('reduce and reduce_rev', () => {
  expect(
    value('[[1, 2].reduce(|sum, x| (sum ?? 0) + x), [1, 2].reduce(|sum, x, i| sum + x * i, 10), [].reduce(|s, x| 1)]'),
  ).toBe('[3,12,null]')
  expect(value('["a", "b"].reduce_rev(|s, x, i| s + x + i, "")')).toBe('"b1a0"')
  expect(value('["a", "b"].reduce_rev(|s, x| s + x)')).toBe('"ba"')
})

test('drain removes and returns, retain keeps and returns the others', () => {
  expect(after('drain(|x| x > 1)', '[1, 2, 3]')).toBe('[[1],[2,3]]')
  expect(after('drain(1, 1)', '[1, 2, 3]')).toBe('[[1,3],[2]]')
  expect(after('drain(1..3)', '[1, 2, 3]')).toBe('[[1],[2,3]]')
  expect(after('retain(|x, i| i > 0)', '[1, 2, 3]')).toBe('[[2,3],[1]]')
  expect(after('retain(1, 1)', '[1, 2, 3]')).toBe('[[2],[1,3]]')
  expect(after('retain(0..=1)', '[1, 2, 3]')).toBe('[[1,2],[3]]')
})

test('dedup removes consecutive equal elements', () => {
  expect(after('dedup()', '[1, 1.0, 2, 1, 1]')).toBe('[[1,2,1],null]')
  expect(after('dedup(|a, b| a % 2 == b % 2)', '[1, 3, 2, 4, 5]')).toBe('[[1,2,5],null]')
})

test('zip goes up to the shorter length', () => {
  expect(value('[1, 2, 3].zip([10, 20], |a, b| a + b)')).toBe('[11,22]')
  expect(value('[1].zip([10, 20], |a, b, i| a + b + i)')).toBe('[11]')
})

test('sort and sort_desc order elements of one type', () => {
  expect(after('sort()', '[10, 9, -1]')).toBe('[[-1,9,10],null]')
  expect(after('sort_desc()', '[1, 3, 2]')).toBe('[[3,2,1],null]')
  expect(after('sort()', '["b", "a", "😀", "\uFFFD"]')).toBe('[["a","b","\uFFFD","😀"],null]')
  expect(after('sort()', '[2.5, -1.0]')).toBe('[[-1.0,2.5],null]')
  expect(after('sort()', "['b', 'a']")).toBe('[["a","b"],null]')
  expect(after('sort()', '[true, false]')).toBe('[[false,true],null]')
  expect(after('sort()', '[]')).toBe('[[],null]')
  expect(failure('[1, "a"].sort()')).toBe(
    'only elements of one type can be sorted, not i64 and string (line 1, position 10)',
  )
  expect(failure('[[1], [2]].sort()')).toBe('function not found: < (array, array) (line 1, position 12)')
})

test('sort(f) and sort_by(f) take an int or a bool, and are stable', () => {
  expect(after('sort(|a, b| b - a)', '[1, 3, 2]')).toBe('[[3,2,1],null]')
  expect(after('sort_by(|a, b| a < b)', '[3, 1, 2]')).toBe('[[1,2,3],null]')
  expect(after('sort(|a, b| a[0] < b[0])', '[[1, "a"], [0, "b"], [1, "c"], [0, "d"]]')).toBe(
    '[[[0,"b"],[0,"d"],[1,"a"],[1,"c"]],null]',
  )
  expect(failure('[1, 2].sort(|a, b| "x")')).toBe(
    'a sort function returned string, not i64 or bool (line 1, position 8)',
  )
})

test('order, order_desc and order_by give a sorted copy', () => {
  expect(after('order()', '[2, 1]')).toBe('[[2,1],[1,2]]')
  expect(after('order_desc()', '[1, 2]')).toBe('[[1,2],[2,1]]')
  expect(after('order(|a, b| b - a)', '[1, 2]')).toBe('[[1,2],[2,1]]')
  expect(after('order_by(|a, b| a < b)', '[2, 1]')).toBe('[[2,1],[1,2]]')
})

test('a callback may change the array it is called for', () => {
  expect(value('let a = [1, 2, 3]; let b = a.map(|x| { a.pop(); x }); [a, b]')).toBe('[[],[1,2,3]]')
  expect(value('let a = [1, 2, 3]; a.retain(|x| { a.clear(); x > 1 }); a')).toBe('[2,3]')
  expect(value('let a = [1, 2, 3]; [a.find(|x| { a.clear(); x == 3 }), a]')).toBe('[3,[]]')
})

test('some functions are looked up by the count of their parameters', () => {
  const functions = 'fn f(x) { x } fn g(x, i) { i } fn h() { this * 2 }'
  expect(value('[[5].map(f), [5].map(g), [5].map(h)]', functions)).toBe('[[5],[0],[10]]')
})
