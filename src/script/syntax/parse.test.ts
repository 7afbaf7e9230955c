import { expect, test } from 'vitest'
import { compileScript } from '../compile-script.js'
import { CHECK_DEPTHS, RUN_DEPTHS } from '../limits.js'
import { edit, refusal, value } from '../testing.fixture.js'

test('`;` separates statements, and is optional after a block and at the end', () => {
  expect(edit('let a = 1; { a += 1 } if true { a += 1 } ;; doc.a = a')).toBe('{"a":3}')
  expect(refusal('let a = 1 let b = 2')).toBe('`;` was expected, not `let` (line 1, position 11)')
})

test('operators bind as spec 3 §6.3 lists them', () => {
  expect(value('[1 + 2 * 3, 2 * 3 ** 2, 2 ** 3 ** 2, 1 + 1 << 2, -2 ** 2]')).toBe('[7,18,512,5,4]')
})

test.each([
  ['true || false && false', 'true'],
  ['false && true || true', 'true'],
  ['true | false ^ true', 'false'],
  ['2 + 1 in [3]', 'true'],
  ['1 in [1] == true', 'true'],
  ['() ?? 1 + 1', '2'],
  ['(() ?? 5) < 6', 'true'],
  ['() ?? 1 < 2', 'true'],
  ['10 - 4 - 3', '3'],
  ['2 ** 1 << 1', '4'],
  ['!true == false', 'true'],
  ['-[1, 2][1]', '-2'],
  ['3 in 1 + 1..2 + 2', 'true'],
])('%s is %s', (source, expected) => {
  expect(value(source)).toBe(expected)
})

test.each([
  ['doc.x =', 'an expression was expected, not the end of the script (line 1, position 8)'],
  ['1 = 2', 'only variables, properties and elements can be assigned to (line 1, position 3)'],
  ['doc.f().x = 2', 'only variables, properties and elements can be assigned to (line 1, position 11)'],
  ['a = b = 1', '`;` was expected, not `=` (line 1, position 7)'],
  ['if true doc.x = 1', '`{` was expected, not `doc` (line 1, position 9)'],
  ['let if = 1', 'the name of a variable was expected, not `if` (line 1, position 5)'],
  ['let _ = 1', 'the name of a variable was expected, not `_` (line 1, position 5)'],
  ['eval("1")', 'an expression was expected, not `eval` (line 1, position 1)'],
  ['global', 'an expression was expected, not `global` (line 1, position 1)'],
  ['break', '`break` is outside of any loop (line 1, position 1)'],
  ['loop { [1].map(|x| continue) }', '`continue` is outside of any loop (line 1, position 20)'],
  ['if true { fn f() {} }', 'functions are defined at the top level only (line 1, position 11)'],
  ['fn f(a) {} fn f(b) {}', 'the function f/1 is defined twice (line 1, position 12)'],
  ['fn f(a, a) {}', 'two parameters have the same name (line 1, position 1)'],
  ['|a, a| 1', 'two parameters have the same name (line 1, position 1)'],
  ['switch 1 { _ => 1, 2 => 3 }', '`_` must be the last case (line 1, position 12)'],
  ['switch 1 { doc => 1 }', 'a case must be a literal or a range of integers (line 1, position 12)'],
  ['switch 1 { 1 => 1 2 => 2 }', '`,` or `}` was expected, not a literal (line 1, position 19)'],
  ['const A = 1; A = 2', 'A is constant and cannot be changed (line 1, position 16)'],
  ['const A = [1]; A[0] = 2', 'A is constant and cannot be changed (line 1, position 21)'],
  ['1 }', 'a statement was expected, not `}` (line 1, position 3)'],
  ['doc."x"', 'the name of a property or function was expected, not a literal (line 1, position 5)'],
  ['a::b', '`;` was expected, not `:` (line 1, position 2)'],
])('%s is refused with its place', (source, reason) => {
  expect(refusal(source)).toBe(reason)
})

function nested(levels: number, open: string, close: string): string {
  return open.repeat(levels) + close.repeat(levels)
}

test('expressions may be nested 100 levels at the top and 1000 in functions, or 64 and 32 in the early check', () => {
  const isAccepted = (source: string, depths = RUN_DEPTHS) => compileScript(source, depths).ok
  expect(isAccepted(nested(100, '[', ']'))).toBe(true)
  expect(isAccepted(nested(101, '[', ']'))).toBe(false)
  expect(isAccepted(`fn f() { ${nested(999, '[', ']')} }`)).toBe(true)
  expect(isAccepted(`fn f() { ${nested(1000, '[', ']')} }`)).toBe(false)
  expect(isAccepted(nested(64, '[', ']'), CHECK_DEPTHS)).toBe(true)
  expect(isAccepted(nested(65, '[', ']'), CHECK_DEPTHS)).toBe(false)
  expect(isAccepted(`fn f() { ${nested(31, '[', ']')} }`, CHECK_DEPTHS)).toBe(true)
  expect(isAccepted(`fn f() { ${nested(32, '[', ']')} }`, CHECK_DEPTHS)).toBe(false)
  expect(isAccepted(`fn f() { ${nested(31, '[', ']')} } ${nested(64, '[', ']')}`, CHECK_DEPTHS)).toBe(true)
})

test.each(['(', '[', '{', '-', '!', '|x| ', '#{a:', 'if true {', 'f(', 'a[', '`${', '2 ** ', 'switch 1 { 1 =>'])(
  '100,000 times %s is refused, not a crash',
  (text) => {
    const reason = refusal(text.repeat(100_000 / text.length))
    expect(reason).toMatch(/^expressions are nested deeper than 100 levels \(line 1, position \d+\)$/)
    expect(refusal(`fn f() { ${text.repeat(100_000 / text.length)}`)).toMatch(/nested/)
  },
)

test('long runs of operators, links and arms are not nested', () => {
  expect(value(`0 ${'+ 1 '.repeat(10_000)}`)).toBe('10000')
  expect(value(`"" ${'.to_upper()'.repeat(10_000)}`)).toBe('""')
  expect(value(`if false {} ${'else if false {} '.repeat(10_000)} else { 7 }`)).toBe('7')
})

test('a source of more than a million characters is refused', () => {
  expect(refusal(' '.repeat(1_000_001))).toBe('the script is longer than 1000000 characters')
})
