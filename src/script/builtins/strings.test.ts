import { expect, test } from 'vitest'
import { failure, value } from '../testing.fixture.js'

// Spec 3 §6.5, one test for each function of strings. `after` shows a string after an in-place function.

const after = (call: string, text: string) => value(`let s = ${JSON.stringify(text)}; let r = s.${call}; [s, r]`)

test('len counts characters, with and without parentheses', () => {
  expect(value('["a😀é".len, "a😀é".len(), "".len]')).toBe('[3,3,0]')
})

test('bytes counts the bytes of UTF-8', () => {
  expect(value('["a😀é".bytes, "abc".bytes()]')).toBe('[7,3]')
})

test('is_empty', () => {
  expect(value('["".is_empty, " ".is_empty()]')).toBe('[true,false]')
})

test('to_upper and to_lower give new strings and characters', () => {
  expect(value(`["aß😀".to_upper(), "ÀB".to_lower(), 'é'.to_upper(), 'É'.to_lower(), 'ß'.to_upper()]`)).toBe(
    '["ASS😀","àb","É","é","ß"]',
  )
})

test('contains, starts_with and ends_with take strings and characters', () => {
  expect(value(`["abc".contains("bc"), "abc".contains('x'), "abc".contains("")]`)).toBe('[true,false,true]')
  expect(value(`["abc".starts_with("ab"), "abc".starts_with('a'), "abc".starts_with("b")]`)).toBe('[true,true,false]')
  expect(value(`["abc".ends_with("bc"), "abc".ends_with('c'), "abc".ends_with("b")]`)).toBe('[true,true,false]')
})

test('index_of gives a position in characters, or -1', () => {
  expect(
    value(`["a😀bcb".index_of("b"), "a😀bcb".index_of('b', 3), "abc".index_of("x"), "abab".index_of("a", -2)]`),
  ).toBe('[2,4,-1,2]')
})

test('sub_string takes a start, a length or a range', () => {
  const calls = '(1), (1, 2), (-2), (-99), (9), (1, 0), (1, -1), (1, 99), (1..3), (1..=3), (-5..2)'
  const results = calls.split('), ').map((call) => `"a😀cde".sub_string${call.endsWith(')') ? call : `${call})`}`)
  expect(value(`[${results}]`)).toBe('["😀cde","😀c","de","a😀cde","","","","😀cde","😀c","😀cd","a😀"]')
})

test('split cuts at blanks, a position, or a delimiter, into at most so many parts', () => {
  expect(value('"  a b\\t\\nc ".split()')).toBe('["a","b","c"]')
  expect(value('["a😀c".split(2), "abc".split(-1), "abc".split(9)]')).toBe('[["a😀","c"],["ab","c"],["abc",""]]')
  expect(value(`["a,b,c".split(","), "a,b,c".split(','), ",a,".split(","), "abc".split("")]`)).toBe(
    '[["a","b","c"],["a","b","c"],["","a",""],["","a","b","c",""]]',
  )
  expect(value('["a,b,c".split(",", 2), "a,b,c".split(",", 1), "a,b,c".split(",", 0), "abc".split("", 2)]')).toBe(
    '[["a","b,c"],["a,b,c"],["a,b,c"],["","abc"]]',
  )
})

test('split_rev cuts from the end', () => {
  expect(value('["a,b,c".split_rev(","), "a,b,c".split_rev(",", 2), "aaa".split_rev("aa"), "a😀".split_rev("")]')).toBe(
    '[["c","b","a"],["c","a,b"],["","a"],["","😀","a",""]]',
  )
})

test('to_chars gives an array, chars something to loop over', () => {
  expect(value('"a😀".to_chars().map(|c| type_of(c) + c)')).toBe('["chara","char😀"]')
  const collect = (call: string) => value(`let out = ""; for c in "hello".${call} { out += c + "." } out`)
  expect([collect('chars()'), collect('chars(3)'), collect('chars(1, 2)'), collect('chars(1..=1)')]).toEqual([
    '"h.e.l.l.o."',
    '"l.o."',
    '"e.l."',
    '"e."',
  ])
})

test('get gives a character or ()', () => {
  expect(value('["abc".get(1), "abc".get(-1), "abc".get(3)]')).toBe('["b","c",null]')
})

test('min and max compare by code points', () => {
  expect(value(`[min("b", "a"), max("b", "a"), min('b', 'a'), max('\uFFFD', '😀')]`)).toBe('["a","b","a","😀"]')
})

test('trim works in place, on all blanks of Unicode', () => {
  expect(after('trim()', '\u2003 a b \n\u0085')).toBe('["a b",null]')
  expect(after('trim()', '   ')).toBe('["",null]')
})

test('make_upper and make_lower work in place, also on characters', () => {
  expect(after('make_upper()', 'aé')).toBe('["AÉ",null]')
  expect(after('make_lower()', 'AÉ')).toBe('["aé",null]')
  expect(value(`let c = 'a'; c.make_upper(); let d = 'B'; d.make_lower(); [c, d]`)).toBe('["A","b"]')
})

test('clear empties in place', () => {
  expect(after('clear()', 'abc')).toBe('["",null]')
})

test('replace and remove take out all occurrences in place', () => {
  expect(after('replace("a", "$&")', 'aba')).toBe('["$&b$&",null]')
  expect(after(`replace('b', 'c')`, 'abab')).toBe('["acac",null]')
  expect(after('replace("", "-")', 'a😀')).toBe('["-a-😀-",null]')
  expect(after('remove("ab")', 'xababx')).toBe('["xx",null]')
  expect(after(`remove('x')`, 'xaxx')).toBe('["a",null]')
})

test('append adds the display text in place', () => {
  expect(after('append(1.0)', 'a')).toBe('["a1.0",null]')
  expect(after('append(())', 'a')).toBe('["a",null]')
})

test('pad fills up on the right in place', () => {
  expect(after(`pad(5, '.')`, 'a😀')).toBe('["a😀...",null]')
  expect(after('pad(4, "xyz")', 'a')).toBe('["axyz",null]')
  expect(after('pad(3, "xyz")', 'a')).toBe('["axy",null]')
  expect(after(`pad(1, '.')`, 'abc')).toBe('["abc",null]')
})

test('crop and truncate keep a part in place', () => {
  expect(after('crop(2)', 'hello')).toBe('["llo",null]')
  expect(after('crop(-3, 2)', 'hello')).toBe('["ll",null]')
  expect(after('crop(1..3)', 'hello')).toBe('["el",null]')
  expect(after('truncate(2)', 'h😀llo')).toBe('["h😀",null]')
  expect(after('truncate(-1)', 'hello')).toBe('["",null]')
  expect(after('truncate(99)', 'hello')).toBe('["hello",null]')
})

test('set changes a character in place, and nothing when the position is invalid', () => {
  expect(after(`set(-1, 'x')`, 'a😀')).toBe('["ax",null]')
  expect(after(`set(5, 'x')`, 'abc')).toBe('["abc",null]')
})

test('pop removes the last characters and returns them', () => {
  expect(after('pop()', 'a😀')).toBe('["a","😀"]')
  expect(after('pop()', '')).toBe('["",null]')
  expect(after('pop(2)', 'hello')).toBe('["hel","lo"]')
  expect(after('pop(99)', 'hello')).toBe('["","hello"]')
  expect(after('pop(-1)', 'hello')).toBe('["hello",""]')
})

test('methods that are no properties need parentheses', () => {
  for (const name of ['to_upper', 'trim', 'split', 'to_chars'])
    expect(failure(`"a".${name}`)).toMatch(/has no property/)
})
