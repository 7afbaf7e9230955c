import { describe, expect, test } from 'vitest'
import { edit, failure, value } from './testing.fixture.js'

describe('types and operators (spec 3 §6.3)', () => {
  test('type_of names the type of every value', () => {
    const values = `1, 1.5, true, "s", 'c', [1], #{}, (), || 1, 1..2, 1..=2`
    expect(value(`[${values}].map(|v| type_of(v))`)).toBe(
      '["i64","f64","bool","string","char","array","map","()","Fn","range","range="]',
    )
    expect(value('"a".chars().type_of()')).toBe('"iterator"')
  })

  test('values are copied on assignment, and only chains change in place', () => {
    expect(value('let a = [1, [2]]; let b = a; b[1][0] = 9; b.push(3); [a, b]')).toBe('[[1,[2]],[1,[9],3]]')
    expect(value('let a = #{x: #{y: 1}}; let b = a.x; b.y = 2; a.x.y += 10; [a, b]')).toBe('[{"x":{"y":11}},{"y":2}]')
  })

  test.each([
    ['7 / 2', '3'],
    ['-7 / 2', '-3'],
    ['-7 % 3', '-1'],
    ['7.0 / 2', '3.5'],
    ['1 + 0.5', '1.5'],
    ['2 ** 10', '1024'],
    ['2.0 ** -1', '0.5'],
    ['2 ** 0.5 == sqrt(2.0)', 'true'],
    ['(-1) ** 9223372036854775807', '-1'],
    ['1 << 3', '8'],
    ['-16 >> 2', '-4'],
    ['1 << 64', '0'],
    ['1 << 63', '-9223372036854775808'],
    ['16 << -2', '4'],
    ['6 & 3', '2'],
    ['6 | 3', '7'],
    ['6 ^ 3', '5'],
    ['true & false | true ^ true', 'false'],
    ['1.0 / 0.0', 'null'],
    ['-0.0', '-0.0'],
    ['+5', '5'],
    ['0 * -5', '0'],
    ['9223372036854775806 + 1', '9223372036854775807'],
    ['9007199254740991 + 1', '9007199254740992'],
    ['9007199254740993 - 9007199254740991', '2'],
    ['-9223372036854775807 - 1', '-9223372036854775808'],
  ])('%s is %s', (source, expected) => {
    expect(value(source)).toBe(expected)
  })

  test.each([
    ['9223372036854775807 + 1', '9223372036854775807 + 1 overflows 64 bits (line 1, position 21)'],
    ['-9223372036854775807 - 2', '-9223372036854775807 - 2 overflows 64 bits (line 1, position 22)'],
    ['3037000500 * 3037000500', '3037000500 * 3037000500 overflows 64 bits (line 1, position 12)'],
    ['let x = -9223372036854775807 - 1; -x', '0 - -9223372036854775808 overflows 64 bits (line 1, position 35)'],
    ['let x = -9223372036854775807 - 1; x / -1', '-9223372036854775808 / -1 overflows 64 bits (line 1, position 37)'],
    ['1 / 0', '1 is divided by zero (line 1, position 3)'],
    ['1 % 0', 'the remainder of 1 divided by zero (line 1, position 3)'],
    ['2 ** -1', '2 ** -1: an integer cannot be raised to a negative power (line 1, position 3)'],
    ['2 ** 63', '2 ** 63 overflows 64 bits (line 1, position 3)'],
    ['2 ** 9223372036854775807', '2 ** 9223372036854775807 overflows 64 bits (line 1, position 3)'],
    ['1 << 1.0', 'function not found: << (i64, f64) (line 1, position 3)'],
    ['1 + ()', 'function not found: + (i64, ()) (line 1, position 3)'],
    ['[1] + 1', 'function not found: + (array, i64) (line 1, position 5)'],
    ['-"a"', 'function not found: - (string) (line 1, position 1)'],
    ['!1', 'function not found: ! (i64) (line 1, position 1)'],
    ['1 & true', 'function not found: & (i64, bool) (line 1, position 3)'],
    ['[1] < [2]', 'function not found: < (array, array) (line 1, position 5)'],
    ['if 1 {}', 'a bool was expected, not i64 (line 1, position 4)'],
    ['true && 1', 'a bool was expected, not i64 (line 1, position 6)'],
    ['() || true', 'a bool was expected, not () (line 1, position 4)'],
    ['1 in ()', 'function not found: in (i64, ()) (line 1, position 3)'],
    ['1 in "a"', 'function not found: in (i64, string) (line 1, position 3)'],
    ['1.0..2.0', 'function not found: .. (f64, f64) (line 1, position 4)'],
  ])('%s is an error', (source, reason) => {
    expect(failure(source)).toBe(reason)
  })

  test('+ with a string on either side joins display texts', () => {
    expect(value(`["n: " + 1, 1.0 + "x", "a" + (), 'a' + "b", 'a' + 'b', "" + [1, "a"], #{a: 'c'} + ""]`)).toBe(
      String.raw`["n: 1","1.0x","a","ab","ab","[1, \"a\"]","#{\"a\": 'c'}"]`,
    )
  })

  test('- on strings removes all occurrences', () => {
    expect(value(`["abcabc" - "bc", "abcabc" - 'a', "abc" - ""]`)).toBe('["aa","bcbc","abc"]')
  })

  test('+ joins arrays and overlays maps; += also pushes', () => {
    expect(value('[1] + [2, 3]')).toBe('[1,2,3]')
    expect(value('#{a: 1, b: 2} + #{b: 3, c: 4}')).toBe('{"a":1,"b":3,"c":4}')
    expect(value('let a = [1]; a += 2; a += [3, 4]; a += "x"; a')).toBe('[1,2,3,4,"x"]')
    expect(value('let m = #{a: 1}; m += #{a: 2, b: 3}; m')).toBe('{"a":2,"b":3}')
  })

  test.each([
    ['1 == 1.0', 'true'],
    ['1 == "1"', 'false'],
    ['1 != "1"', 'true'],
    ['() == false', 'false'],
    ['() == ()', 'true'],
    ['[1, [2.0]] == [1.0, [2]]', 'true'],
    ['#{a: [1]} == #{a: [1]}', 'true'],
    ['#{a: 1} == #{a: 1, b: 2}', 'false'],
    ['#{a: ()} == #{b: ()}', 'false'],
    ['0.0 / 0.0 == 0.0 / 0.0', 'false'],
    ['(1..3) == (1..3)', 'true'],
    ['(1..3) == (1..=3)', 'false'],
    // A character counts as the string of that character.
    [`'a' == "a"`, 'true'],
    [`"b" > 'a'`, 'true'],
    ['1 < 1.5', 'true'],
    ['1 < "2"', 'false'],
    ['1 >= "2"', 'false'],
    ['() < ()', 'false'],
    ['() < 1', 'false'],
    ['"a" < "b"', 'true'],
    ['"Z" < "a"', 'true'],
    // In UTF-16 the order would be the other way round.
    ['"\uFFFD" < "😀"', 'true'],
    ["'a' < 'b'", 'true'],
    ['false < true', 'true'],
  ])('%s is %s', (source, expected) => {
    expect(value(source)).toBe(expected)
  })

  test('&& and || skip their right side when decided, & and | do not', () => {
    expect(value('let n = 0; let f = |r| { n += 1; r }; false && f.call(true); true || f.call(true); n')).toBe('0')
    expect(value('let n = 0; let f = |r| { n += 1; r }; false & f.call(true); true | f.call(true); n')).toBe('2')
  })

  test('?? takes the right side when the left is ()', () => {
    expect(value('[() ?? 1, 2 ?? 3, false ?? 1, () ?? () ?? 4]')).toBe('[1,2,false,4]')
  })

  test('in looks for elements, parts, keys and numbers', () => {
    expect(
      value(
        `[2 in [1, 2], "bc" in "abc", 'b' in "abc", "a" in #{a: ()}, 3 in 1..3, 3 in 1..=3, 2.5 in 1..3, "x" in 1..3]`,
      ),
    ).toBe('[true,true,true,true,false,true,true,false]')
    expect(value('[3 !in [1, 2], "a" !in #{a: 1}]')).toBe('[true,false]')
  })

  test('?. and ?[ make the whole chain () when the left side is ()', () => {
    expect(value('let a = (); [a?.b, a?.b.c.d, a?[0], a?.len().x, #{b: 1}?.b]')).toBe('[null,null,null,null,1]')
    expect(edit('doc.a?.b = 1; doc.c?.push(2)')).toBe('unchanged')
    expect(edit('doc.a?.b = 1', { doc: { a: {} } })).toBe('{"a":{"b":1}}')
  })

  test('an unknown property reads as (), and assigning creates it', () => {
    expect(edit('doc.b = doc.missing; doc["any name"] = doc["no such"] ?? 1')).toBe('{"any name":1,"b":null}')
  })

  test.each([
    ['doc.a.b = 1', '() has no property "b" (line 1, position 9)'],
    ['doc.a.b', '() has no property "b" (line 1, position 7)'],
    ['doc.n.b', 'i64 has no property "b" (line 1, position 7)'],
    ['doc.a[0]', '() cannot be indexed with i64 (line 1, position 6)'],
    ['doc.l["x"]', 'array cannot be indexed with string (line 1, position 6)'],
    ['doc[1]', 'map cannot be indexed with i64 (line 1, position 4)'],
    ['doc.l[3]', 'index 3 is out of bounds of an array of 3 elements (line 1, position 6)'],
    ['doc.l[-4] = 1', 'index -4 is out of bounds of an array of 3 elements (line 1, position 11)'],
    ['doc.s[3]', 'index 3 is out of bounds of a string of 3 characters (line 1, position 6)'],
    ['doc.s[0] = "a"', 'a character of a string was given string instead of char (line 1, position 10)'],
    ['doc.s.x = 1', 'string has no property "x" (line 1, position 9)'],
    ['doc.s.to_upper', 'string has no property "to_upper" (line 1, position 7)'],
  ])('%s is an error', (source, reason) => {
    expect(failure(source, { doc: { n: 1, l: [1, 2, 3], s: 'abc' } })).toBe(reason)
  })

  test('indexes count from the end when negative', () => {
    expect(value('let a = [1, 2, 3]; a[-1] = 9; [a[0], a[-1], a[-3]]')).toBe('[1,9,1]')
    expect(value('let s = "a😀c"; [s[1], s[-1]]')).toBe('["😀","c"]')
  })

  test('characters of a string can be assigned, and ranges cut', () => {
    expect(value(`let s = "a😀c"; s[1] = 'b'; s[-1] = '!'; s`)).toBe('"ab!"')
    expect(edit(`doc.a[0].s[1] = 'x'`, { doc: { a: [{ s: 'abc' }] } })).toBe('{"a":[{"s":"axc"}]}')
    expect(value('let s = "hello"; [s[1..3], s[1..=3], s[3..99], s[3..1], s[-2..2]]')).toBe('["el","ell","lo","","he"]')
  })
})

describe('control flow (spec 3 §6.4)', () => {
  test('variables can be shadowed, and blocks are scopes with a value', () => {
    expect(value('let x = 1; let y = { let x = 2; x + 1 }; let x = x + 10; let z; [x, y, z]')).toBe('[11,3,null]')
    expect(failure('{ let x = 1; } x')).toBe('variable not found: x (line 1, position 16)')
    expect(failure('if true { let x = 1; } x')).toMatch(/^variable not found: x/)
    expect(failure('for i in 0..1 { let x = 1; } x')).toMatch(/^variable not found: x/)
  })

  test('a later assignment needs a declared variable', () => {
    expect(failure('x = 1')).toBe('variable not found: x (line 1, position 1)')
  })

  test('the value of a block is that of its last statement, with or without `;`', () => {
    expect(value('[{ 1; 2 }, { 3; }, {}, { let x = 1; }]')).toBe('[2,3,null,null]')
  })

  test('if is an expression', () => {
    const source = '[1, 2, 3].map(|n| if n == 1 { "one" } else if n == 2 { "two" } else { "many" })'
    expect(value(source)).toBe('["one","two","many"]')
    expect(value('if false { 1 }')).toBe('null')
  })

  test('switch takes the first arm that matches', () => {
    const arms = '1 => "a", 2 | 3 => "b", 5..10 if n > 6 => "c", 5..=10 => "d", "x" => { "e" } [1, -2] => "f", _ => "g"'
    expect(value(`[1, 3, 7, 5, 10, "x", [1, -2], 11, 7.5, true].map(|n| switch n { ${arms} })`)).toBe(
      '["a","b","c","d","d","e","f","g","c","g"]',
    )
    expect(value('switch 5 { 1 => 2 }')).toBe('null')
    expect(value(`switch #{a: 'x'} { #{a: 'x'} => 1 }`)).toBe('1')
  })

  test('loops', () => {
    expect(value('let n = 0; while n < 5 { n += 1; if n == 3 { break } } n')).toBe('3')
    expect(value('let n = 0; loop { n += 1; if n < 4 { continue } break n * 2 }')).toBe('8')
    expect(value('let n = 9; do { n += 1 } while n < 5; n')).toBe('10')
    expect(value('let n = 0; do { n += 1; if n == 2 { continue; } } until n >= 4; n')).toBe('4')
    expect(value('while false {}')).toBe('null')
    expect(value('for i in 0..3 { if i == 1 { break "found" } }')).toBe('"found"')
  })

  test('for goes through arrays, ranges, characters, keys and values', () => {
    const collect = (source: string) => value(`let out = []; for x in ${source} { out.push(x) } out`)
    expect(collect('[1, "a", ()]')).toBe('[1,"a",null]')
    expect(collect('1..4')).toBe('[1,2,3]')
    expect(collect('1..=3')).toBe('[1,2,3]')
    expect(collect('range(0, 10, 4)')).toBe('[0,4,8]')
    expect(collect('range(3, 0, -1)')).toBe('[3,2,1]')
    expect(collect('range(3, 0)')).toBe('[]')
    expect(collect('range(0.0, 1.0, 0.5)')).toBe('[0.0,0.5]')
    expect(collect('"a😀".chars()')).toBe('["a","😀"]')
    expect(collect('"ab"')).toBe('["a","b"]')
    expect(collect('#{b: 1, a: 2}.keys()')).toBe('["a","b"]')
    expect(collect('#{b: 1, a: 2}.values()')).toBe('[2,1]')
    expect(failure('for x in 5 {}')).toBe('a for loop cannot go through i64 (line 1, position 10)')
    expect(failure('range(0, 1, 0)')).toBe('the step of a range is zero (line 1, position 6)')
  })

  test('for can count, and its source is not changed by its body', () => {
    expect(value('let out = []; for (x, i) in ["a", "b"] { out.push(x + i) } out')).toBe('["a0","b1"]')
    expect(value('let a = [1, 2]; for x in a { a.push(x) } a')).toBe('[1,2,1,2]')
    expect(value('let a = [[1], [2]]; for x in a { x.push(9) } a')).toBe('[[1],[2]]')
  })

  test('break and continue leave unfinished expressions and try blocks behind', () => {
    expect(value('let n = 0; loop { let x = [1, 2, { n += 1; if n < 3 { continue } break n }]; }')).toBe('3')
    expect(value('for i in 0..3 { try { break } catch { 1 } } try { throw 1 } catch { "caught" }')).toBe('"caught"')
  })

  test('return and exit end the script and keep what was done', () => {
    expect(edit('doc.a = 1; return; doc.b = 2')).toBe('{"a":1}')
    expect(edit('doc.a = 1; if true { return 5 } doc.b = 2')).toBe('{"a":1}')
    expect(edit('fn f() { exit() } doc.a = 1; [1].for_each(|| f()); doc.b = 2')).toBe('{"a":1}')
    expect(edit('doc.a = 1; exit("done")')).toBe('{"a":1}')
  })

  test('throw, try and catch', () => {
    expect(value('try { throw #{a: 1}; } catch (e) { e.a }')).toBe('1')
    expect(value('try { 1 + () } catch { "caught" }')).toBe('"caught"')
    expect(value('try { [1].map(|x| throw x + 1) } catch (e) { e }')).toBe('2')
    expect(value('try { try { throw 1 } catch { throw; } } catch (e) { e + 1 }')).toBe('2')
    const rethrowing = 'fn f(n) { if n == 0 { throw "deep" } try { f(n - 1) } catch (e) { throw e + n } }'
    expect(value('try { f(3) } catch (e) { e }', rethrowing)).toBe('"deep123"')
  })

  test('a value that is not caught fails the run', () => {
    expect(failure('throw "no";')).toBe('the script threw no (line 1, position 1)')
    expect(failure('throw')).toBe('the script threw  (line 1, position 1)')
    expect(failure('try { 1 / 0 } catch { throw; }')).toBe('1 is divided by zero (line 1, position 9)')
    expect(failure('let a = [1]; for i in 0..100 { a = [a] } throw a;')).toMatch(/^the script threw \[\[\[/)
  })

  test('a caught error of ours tells what and where', () => {
    expect(value('\n try { missing } catch (e) { e }')).toBe(
      '{"error":"ErrorVariableNotFound","line":2,"message":"variable not found: missing","position":8}',
    )
  })
})

describe('functions and closures (spec 3 §6.4 and §6.5)', () => {
  test('functions can be called before their definition and are told apart by their number of parameters', () => {
    expect(edit('doc.a = f(1) + f(1, 2); fn f(a) { a * 10 } private fn f(a, b) { a + b }')).toBe('{"a":13}')
  })

  test('functions see no outer variable', () => {
    expect(failure('fn f() { doc } f()')).toBe('variable not found: doc (line 1, position 10)')
    expect(failure('fn f() { context } f()', { context: {} })).toBe('variable not found: context (line 1, position 10)')
    expect(failure('let x = 1; fn f() { x } f()')).toBe('variable not found: x (line 1, position 21)')
  })

  test('parameters are copies, and the last statement is the result', () => {
    expect(value('let a = [1]; let b = f(a); [a, b]', 'fn f(a) { a.push(2); a }')).toBe('[[1],[1,2]]')
    expect(value('f(5)', 'fn f(n) { if n > 3 { return "big" } "small" }')).toBe('"big"')
  })

  test('doc.f(x) binds `this`, and changes to it are kept', () => {
    expect(edit('doc.add(5); fn add(n) { this.n += n; this.list.push(n) }', { doc: { n: 1, list: [] } })).toBe(
      '{"list":[5],"n":6}',
    )
    expect(edit('doc.a[1].inc(); fn inc() { this += 1 }', { doc: { a: [1, 2] } })).toBe('{"a":[1,3]}')
    expect(edit('doc.clear_all(); fn clear_all() { this = () }', { doc: { a: 1 } })).toBe('deleted')
    expect(value('let x = 500; let y = x; x.change(); [x, y]', 'fn change() { this = 42 }')).toBe('[42,500]')
    expect(failure('fn f() { this } f()')).toBe('`this` is not bound to anything here (line 1, position 10)')
    expect(failure('this = 1')).toBe('`this` is not bound to anything here (line 1, position 6)')
  })

  test('a map calls functions it holds with itself as `this`', () => {
    expect(value('let m = #{n: 1, inc: |by| { this.n += by; this.n }}; let r = m.inc(5); [r, m.n]')).toBe('[6,6]')
    expect(value('let m = #{len: || 99}; [m.len(), #{a: 1}.len()]')).toBe('[99,1]')
  })

  test('closures share the variables they capture', () => {
    expect(value('let x = 1; let f = |y| x + y; x = 40; f.call(2)')).toBe('42')
    expect(value('let x = 1; let f = || x += 1; f.call(); f.call(); x')).toBe('3')
    expect(value('let fs = []; for i in 0..3 { fs.push(|| i) } fs.map(|f| f.call())')).toBe('[2,2,2]')
    expect(value('let fs = []; for i in 0..3 { let j = i; fs.push(|| j) } fs.map(|f| f.call())')).toBe('[0,1,2]')
    expect(value('let x = 1; let f = || { let g = || { x += 10; }; g.call(); x }; [f.call(), x]')).toBe('[11,11]')
    expect(value('let f = make(5); f.call(1) + f.call(1)', 'fn make(n) { |x| { n += x; n } }')).toBe('13')
    expect(edit('let f = || doc.n = 5; f.call()')).toBe('{"n":5}')
  })

  test('parameters of closures shadow captures', () => {
    expect(value('let x = 1; let f = |x| { x += 1; x }; [f.call(10), x]')).toBe('[11,1]')
  })

  test('function values are names, Fn and closures, and can be curried', () => {
    const functions = 'fn add(a, b) { a + b } fn twice(f, x) { f.call(f.call(x)) }'
    expect(value('add.call(1, 2) + call(Fn("add"), 3, 4) + add.curry(10).call(5)', functions)).toBe('25')
    expect(value('twice(|x| x * 2, 3)', functions)).toBe('12')
    expect(value('let x = 41; x.call(|n| this += n, 1); x')).toBe('42')
    expect(value('Fn("len").call("hello")')).toBe('5')
    expect(value('[1, 2].map(twice)', 'fn twice(x) { x * 2 }')).toBe('[2,4]')
    expect(value('["a", "b"].map(Fn("to_upper"))')).toBe('["A","B"]')
    expect(value('curry(add, 1).call(2)', functions)).toBe('3')
    expect(failure('let f = |x| x; f.call()')).toBe('closure 1 takes 1 arguments, not 0 (line 1, position 18)')
    expect(failure('Fn("nothing").call(1)')).toBe('function not found: nothing (i64) (line 1, position 15)')
    expect(failure('(5).call(1)')).toBe('function not found: call (i64, i64) (line 1, position 5)')
  })

  test('a script function comes before the built-in of its name', () => {
    expect(value('[len([1]), "abc".len()]', 'fn len(a) { "mine" }')).toBe('["mine",3]')
    expect(value('"abc".len()', 'fn len() { this + "!" }')).toBe('"abc!"')
  })

  test('built-ins can be called like functions, on copies', () => {
    expect(value('let a = [1]; push(a, 2); [len(a), to_upper("x")]')).toBe('[1,"X"]')
    expect(value('let a = [1]; Fn("push").call(a, 2); a')).toBe('[1]')
  })

  test('an unknown function is named with the types of its arguments', () => {
    expect(failure('nothing(1, "a", [])')).toBe('function not found: nothing (i64, string, array) (line 1, position 8)')
    expect(failure('doc.nothing(1)')).toBe('function not found: nothing (map, i64) (line 1, position 5)')
    expect(failure('"a".contains(1)')).toBe('function not found: contains (string, i64) (line 1, position 5)')
  })

  test('arguments are evaluated from left to right', () => {
    expect(
      value('let out = []; let f = |x| { out.push(x); x }; [f.call(1), f.call(2)]; max(f.call(3), f.call(4)); out'),
    ).toBe('[1,2,3,4]')
  })

  test('changes of a temporary are lost', () => {
    expect(value('let s = " a "; s.to_upper().trim(); [s, [1].push(2)]')).toBe('[" a ",null]')
  })

  test('constants and context cannot be changed', () => {
    const setting = { context: { list: [1], n: 1 } }
    expect(failure('context.n = 2', setting)).toBe('context is constant and cannot be changed (line 1, position 11)')
    expect(failure('context = 2', setting)).toBe('context is constant and cannot be changed (line 1, position 9)')
    expect(failure('context.list.push(2)', setting)).toBe(
      'context is constant and cannot be changed (line 1, position 14)',
    )
    expect(failure('const A = [1]; A.push(2)')).toBe('A is constant and cannot be changed (line 1, position 18)')
    expect(failure('fn f() { this.n = 2 } context.f()', setting)).toBe(
      'this is constant and cannot be changed (line 1, position 17)',
    )
    expect(edit('let c = context; c.list.push(2); doc.a = [c.list, context.list]', setting)).toBe('{"a":[[1,2],[1]]}')
  })

  test('x op= y is x = x op y', () => {
    const source = 'let x = 7; x -= 2; x *= 3; x /= 2; x %= 4; x **= 3; x <<= 2; x >>= 1; x |= 1; x &= 7; x ^= 2; x'
    expect(value(source)).toBe('5')
    expect(failure('doc.n += 1')).toBe('function not found: + ((), i64) (line 1, position 7)')
    expect(edit('doc.s += "a"')).toBe('{"s":"a"}')
  })

  test('is_def_var and is_def_fn', () => {
    const source = 'let x = 1; [is_def_var("x"), is_def_var("y"), is_def_var("doc"), is_def_var("context")]'
    expect(value(source)).toBe('[true,false,true,false]')
    expect(edit('doc.a = is_def_var("context")', { context: {} })).toBe('{"a":true}')
    expect(value('[is_def_fn("f", 1), is_def_fn("f", 2), is_def_fn("len", 1)]', 'fn f(a) {}')).toBe(
      '[true,false,false]',
    )
    expect(failure('is_def_var(1)')).toMatch(/^is_def_var takes one string/)
  })

  test('is_shared tells whether a closure uses the variable', () => {
    expect(value('let x = 1; let y = 2; let f = || x; [is_shared(x), x.is_shared(), is_shared(y), is_shared(5)]')).toBe(
      '[true,true,false,false]',
    )
  })

  test('print and debug do nothing', () => {
    expect(value('[print("a"), debug([1])]')).toBe('[null,null]')
  })

  test('scripts cannot reach JavaScript', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'prototype']) {
      expect(value(`doc.${name}`)).toBe('null')
      expect(failure(`"a".${name}`)).toMatch(/has no property/)
      expect(failure(`[].${name}`)).toMatch(/has no property/)
      expect(failure(`(|| 1).${name}`)).toMatch(/has no property/)
      expect(failure(`doc.${name}()`)).toMatch(/^function not found/)
      expect(failure(`${name}()`)).toMatch(/^function not found/)
      expect(failure(name)).toMatch(/^variable not found/)
    }
    expect(edit('doc.__proto__ = #{x: 1}; doc.y = doc.x')).toBe('{"__proto__":{"x":1},"y":null}')
  })
})
