// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how scripts interpolate
import { expect, test } from 'vitest'
import { refusal, value } from '../testing.fixture.js'

// Spec 3 §6.2.

test('integers are written in decimal, hexadecimal, octal and binary, with separators', () => {
  expect(value('[42, 1_000, 0xff, 0o17, 0b101, 0xFFFF_FFFF_FFFF_FFFF]')).toBe('[42,1000,255,15,5,-1]')
})

test('integers keep all 64 bits, and larger ones become floats', () => {
  expect(value('[9223372036854775807, 9223372036854775808]')).toBe('[9223372036854775807,9.223372036854776e+18]')
})

test('floats have a fraction or an exponent', () => {
  expect(value('[1.5, 1_0.0, 1.2e-3, 2E2]')).toBe('[1.5,10.0,0.0012,200.0]')
})

test('booleans, unit and characters', () => {
  expect(value(String.raw`[true, false, (), 'x', '\n', '\'', '\x41', '❤', '😀']`)).toBe(
    String.raw`[true,false,null,"x","\n","'","A","❤","😀"]`,
  )
})

test('strings know escapes and doubled quotes', () => {
  const escapes = String.raw`"\n \r \t \\ \" \' \x41 ❤ \U0001F600 ""q"""`
  expect(value(escapes)).toBe(String.raw`"\n \r \t \\ \" ' A ❤ 😀 \"q\""`)
})

test('a back-slash at the end of a line continues a string, up to its indentation', () => {
  expect(value('"one \\\n   two"')).toBe('"one two"')
})

test('raw strings know no escapes and may hold quotes', () => {
  expect(value(String.raw`[#"a\n"b"#, ##"x"#y"##]`)).toBe(String.raw`["a\\n\"b","x\"#y"]`)
})

test('back-tick strings keep lines and back-slashes, drop a first line end, and write a tick twice', () => {
  expect(value('`\na\\n\nb``c $ d`')).toBe(String.raw`"a\\n\nb` + '`c $ d"')
})

test('back-tick strings interpolate statements, also in each other', () => {
  expect(value('let x = 42; `a ${x} b ${let y = `${x + 1}!`; y + "?"} ${} ${ #{a: 1}.a }`')).toBe('"a 42 b 43!?  1"')
})

test('arrays and maps may end with a comma', () => {
  expect(value('[[1, "a",], #{a: 1, "b c": 2, `d`: 3, if: 4, true: 5,}]')).toBe(
    '[[1,"a"],{"a":1,"b c":2,"d":3,"if":4,"true":5}]',
  )
})

test('comments end with the line, or are nested', () => {
  expect(value('1 // one\n + /* two /* three */ four */ 2')).toBe('3')
})

test('identifiers are letters, digits and underscores', () => {
  expect(value('let _a1 = 1; let été = 2; _a1 + été')).toBe('3')
})

test.each([
  ['let x = 12ab;', 'a letter or digit follows a number directly (line 1, position 12)'],
  ['let x = 0x1_0000_0000_0000_0000;', 'the number has more than 64 bits (line 1, position 32)'],
  ['"abc', 'the line ends inside a string (line 1, position 5)'],
  ['"a\nb"', 'the line ends inside a string (line 1, position 3)'],
  [String.raw`"\q"`, 'the escape is not valid (line 1, position 4)'],
  [String.raw`"\ud800"`, 'the escape is not valid (line 1, position 4)'],
  ["'ab'", "exactly one character was expected between ' and ' (line 1, position 3)"],
  ["''", "exactly one character was expected between ' and ' (line 1, position 2)"],
  ['`abc ${1', '`}` was expected, not the end of the script (line 1, position 9)'],
  ['`abc', 'the text ends inside a back-tick string (line 1, position 5)'],
  ['#"abc"', 'the raw string does not end (line 1, position 3)'],
  ['1 /* 2', 'the comment does not end (line 1, position 7)'],
  ['let a = 1;\n\n  let b = §;', '"§" has no meaning here (line 3, position 11)'],
  ['let a = #{a: 1, a: 2};', 'the map has two properties named "a" (line 1, position 9)'],
  ['1'.repeat(1000), 'the number has too many digits (line 1, position 1001)'],
])('%j is refused with its place', (source, reason) => {
  expect(refusal(source)).toBe(reason)
})
