// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how scripts interpolate
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileScript } from './compile-script.js'
import { runScript } from './run-script.js'
import { edit, failure, value } from './testing.fixture.js'

// Spec 3 §6.1, the limits per document.

describe('operations', () => {
  // Each doubles, copies or compares something in a loop: neither time nor memory may grow without end.
  test.each([
    'loop {}',
    'while true { doc.n = 1 }',
    'for i in 0..9223372036854775807 {}',
    'for x in range(0.0, 1.0, 1e-300) {}',
    'let s = "x"; loop { s += s }',
    'let s = "x"; loop { s += s; s.len() }',
    'let s = "x"; loop { s.append(s) }',
    'let s = "x"; loop { s = `${s}${s}` }',
    'let s = "x"; loop { s.replace("x", "xx") }',
    'let s = "x"; loop { s.replace("", "y") }',
    'let s = "x"; loop { s += "abcdefgh"; doc[s] }',
    'let s = ""; s.pad(200_000_000, "x")',
    'let a = [1]; loop { a = [a, a]; a == a }',
    'let a = ["x"]; loop { a = [a, a]; a.to_string() }',
    'let m = #{a: 1}; loop { m = #{a: m, b: m}; m.to_json() }',
    'let a = []; a.pad(10000, 1); loop { a.contains(2) }',
    'let a = []; a.pad(10000, 1); loop { a.sort() }',
    'let a = []; a.pad(10000, 1); loop { a.map(|x| x) }',
    'let a = []; a.pad(10000, 1); loop { let b = a; b[0] = 2 }',
    'let a = []; a.pad(5000, 1); loop { a.insert(0, 1); a.pop() }',
    'let s = "[]"; for i in 0..10 { s += "," + s } loop { parse_json("[" + s + "]") }',
    'let f = |g| g.call(g); loop { try { f.call(1) } catch {} }',
  ])('%s ends', (source) => {
    const reason = failure(source, { limits: { operations: 100_000 } })
    expect(reason).toMatch(/^the script uses more than 100000 operations \(line 1, position \d+\)$/)
  })

  test('there are a million of them', () => {
    expect(failure('loop {}')).toBe('the script uses more than 1000000 operations (line 1, position 1)')
    expect(value('let n = 0; while n < 90000 { n += 1 } n')).toBe('90000')
  })

  test('a result whose parts are shared cannot be larger than the work a document is worth', () => {
    const source = 'let a = ["x"]; for i in 0..40 { a = [a, a] } doc.a = a'
    const limits = { operations: 100_000 }
    expect(failure(source, { limits })).toBe('the script uses more than 100000 operations')
    const text = 'let s = "x"; for i in 0..20 { s += s } for i in 0..1000 { doc[`k${i}`] = s }'
    expect(failure(text, { limits })).toBe('the script uses more than 100000 operations')
  })

  test('a document that is larger than the limit can still be edited', () => {
    const doc = { big: Array.from({ length: 5000 }, (_, i) => i) }
    expect(edit('doc.n = 1', { doc, limits: { operations: 2000 } })).toMatch(/4999\],"n":1\}$/)
  })

  test('building a long text piece by piece is cheap', () => {
    expect(value('let s = ""; for i in 0..20000 { s += "ab" } s.len()')).toBe('40000')
  })
})

describe('depth', () => {
  const down = 'fn down(n) { if n == 0 { 0 } else { 1 + down(n - 1) } }'

  test('calls can be 1000 levels deep', () => {
    expect(value('down(999)', down)).toBe('999')
    expect(failure(`${down} down(1000)`)).toMatch(/^calls are nested deeper than 1000 levels/)
  })

  test('deep calls inside deep expressions need no stack', () => {
    const nested = `${'[0, '.repeat(90)} f(n - 1) ${']'.repeat(90)}`
    expect(value('f(999)', `fn f(n) { if n > 0 { ${nested}; } n }`)).toBe('999')
  })

  test('endless recursion fails, also of closures, methods and callbacks', () => {
    expect(failure('fn f() { f() } f()')).toMatch(/^calls are nested/)
    expect(failure('let f = |g| g.call(g); f.call(f)')).toMatch(/^calls are nested/)
    expect(failure('fn f() { this.f() } doc.f()')).toMatch(/^calls are nested/)
    expect(failure('fn f() { [1].map(|x| f()) } f()')).toMatch(/^callbacks are nested deeper than 150 levels/)
    expect(failure('fn f(a, b) { [1, 2].sort(f); 1 } f(1, 2)')).toMatch(/^callbacks are nested/)
    expect(failure('fn f() { [1].for_each(f) } f()')).toMatch(/^callbacks are nested/)
  })

  test('values nested too deeply are refused, not walked', () => {
    const deep = 'let a = []; for i in 0..1000 { a = [a] }'
    expect(failure(`${deep} a.to_string()`)).toMatch(/^a value is nested deeper than 256 levels/)
    expect(failure(`${deep} let b = a; b == a`)).toMatch(/^a value is nested deeper than 256 levels/)
    expect(failure(`${deep} doc.a = a`)).toBe('a value is nested deeper than 128 levels')
    expect(failure(`${deep} throw a`)).toBe('the script threw a value of type array (line 1, position 42)')
  })

  test('an attribute can be nested 127 levels deep', () => {
    expect(edit('let a = []; for i in 0..126 { a = [a] } doc.a = a')).toMatch(/^\{"a":\[\[\[/)
    expect(failure('let a = []; for i in 0..127 { a = [a] } doc.a = a')).toMatch(/^a value is nested deeper/)
  })
})

describe('counts and sizes', () => {
  test('1000 variables can be alive, `doc` and `context` among them', () => {
    const declare = (count: number) => Array.from({ length: count }, (_, i) => `let v${i} = ${i};`).join('')
    expect(edit(`${declare(998)} doc.n = v997`)).toBe('{"n":997}')
    expect(failure(declare(999))).toMatch(/^there are more than 1000 variables/)
    expect(edit(`{ ${declare(900)} } { ${declare(900)} } doc.n = 1`)).toBe('{"n":1}')
    expect(failure(`${'let x = 1;'.repeat(999)}`)).toMatch(/^there are more than 1000 variables/)
  })

  test('a script can have 30 functions', () => {
    const define = (count: number) => Array.from({ length: count }, (_, i) => `fn f${i}() { ${i} }`).join(' ')
    expect(edit(`${define(30)} doc.n = f29()`)).toBe('{"n":29}')
    expect(failure(`${define(31)} doc.n = f30()`)).toBe('there are more than 30 functions')
  })

  test.each([
    'let a = []; a.pad(10000, 1); a.push(1)',
    'let a = []; a.pad(10000, 1); a += 1',
    'let a = []; a.pad(10000, 1); a + [1]',
    'let a = []; a.pad(10000, 1); a.insert(0, 1)',
    'let a = []; a.pad(10000, 1); a.append([1])',
    'let a = []; a.pad(10000, 1); a.splice(0, 0, [1])',
    'let a = []; a.pad(10001, 1)',
    'for i in 0..10001 { doc[`k${i}`] = 1 }',
    'let a = #{}; for i in 0..10001 { a.set(i.to_string(), 1) }',
    'let a = #{}; let b = #{}; for i in 0..5001 { a[`a${i}`] = 1; b[`b${i}`] = 1 } a + b',
    'let a = #{}; let b = #{}; for i in 0..5001 { a[`a${i}`] = 1; b[`b${i}`] = 1 } a.mixin(b)',
    'let s = ""; s.pad(10001, "a "); s.to_chars()',
    'let s = ""; s.pad(20002, "a "); s.split()',
    'let s = ""; s.pad(20002, "a,"); s.split(",")',
    'let s = ""; s.pad(20002, "a,"); s.split_rev(",")',
    'parse_json("[" + "0,".to_string() + "0]"); let s = ""; s.pad(20002, "1,"); parse_json(`[${s}1]`)',
  ])('%s makes something of more than 10,000 entries', (source) => {
    expect(failure(source)).toMatch(/^an array or map would have more than 10000 entries/)
  })

  test('larger arrays of a document can be read and shortened', () => {
    const doc = { a: Array.from({ length: 20_000 }, (_, i) => i) }
    expect(edit('doc.n = doc.a.len; doc.a.truncate(2)', { doc })).toBe('{"a":[0,1],"n":20000}')
  })

  test('strings have a longest length', () => {
    const limits = { textLength: 10 }
    for (const source of [
      '"abcdef" + "ghijk"',
      'let s = "a"; s.pad(20, "b")',
      'let s = "aaaa"; s.replace("a", "bbb")',
    ]) {
      expect(failure(source, { limits })).toMatch(/^a string would be longer than 10 characters/)
    }
  })
})

test('no limit can be caught', () => {
  for (const source of [
    'loop {}',
    'f()',
    'let a = []; a.pad(20000, 1)',
    'let a = 1; for i in 0..999 { a = [a] } a == a',
  ]) {
    expect(failure(`fn f() { f() } try { ${source} } catch { doc.caught = true }`)).not.toMatch(/^no failure/)
  }
})

describe('whatever the text', () => {
  const words = (
    'let const if else switch while loop do until for in !in break continue return throw try catch fn this true false ' +
    'doc context x y f ( ) [ ] { } #{ , ; : . .. ..= ?. ?[ ?? = == != ! => < << > >> + += - * ** / % & && | || ^ ' +
    '0 1 9223372036854775807 1.5 "s" \'c\' ` ${ _ len push map call curry sort is_def_var exit pop retain to_string'
  ).split(' ')
  const sources = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' ')),
    fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join('')),
  )

  test('compiling and running never throw', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const compiled = compileScript(source)
        if (!compiled.ok) return compiled.reason.length > 0
        const doc = new Map([['x', 1]])
        return runScript(compiled.script, { doc, limits: { operations: 5000 } }).outcome.length > 0
      }),
      { numRuns: 2000 },
    )
  })

  const atoms = [
    '1',
    '2.5',
    '"ab"',
    "'c'",
    'x',
    'doc',
    'doc.a',
    '[1, x]',
    '#{a: x}',
    '()',
    'true',
    '|y| y',
    '0..3',
    'f',
  ]
  const expressions = fc.letrec<{ e: string }>((tie) => ({
    e: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...atoms),
      fc
        .tuple(
          tie('e'),
          fc.constantFrom('+', '-', '*', '/', '%', '**', '==', '<', 'in', '??', '<<', '&', '..'),
          tie('e'),
        )
        .map(([a, op, b]) => `(${a}) ${op} (${b})`),
      fc
        .tuple(
          tie('e'),
          fc.constantFrom(
            'len',
            'push',
            'pop',
            'map',
            'filter',
            'for_each',
            'sort',
            'get',
            'set',
            'split',
            'insert',
            'keys',
            'remove',
            'reduce',
            'drain',
            'to_string',
            'call',
            'f',
          ),
          tie('e'),
        )
        .map(([a, name, b]) => `(${a}).${name}(${b})`),
      fc.tuple(tie('e'), tie('e')).map(([a, b]) => `(${a})[${b}]`),
      fc.tuple(tie('e'), tie('e')).map(([a, b]) => `if ${a} == 1 { x = ${b} } else { doc.a = ${b}; x }`),
      tie('e').map((a) => `{ try { ${a} } catch (e) { doc.e = e; x = () } }`),
      tie('e').map((a) => `[1, 2].map(|x, i| ${a})`),
    ),
  })).e

  test('well-formed scripts end with an outcome, even when they do nonsense', () => {
    fc.assert(
      fc.property(fc.array(expressions, { minLength: 1, maxLength: 5 }), (parts) => {
        const source = `fn f(a) { this; a } let x = [1, #{b: 2}]; ${parts.map((part) => `doc.r = ${part};`).join('\n')}`
        const compiled = compileScript(source)
        if (!compiled.ok) return /nested deeper/.test(compiled.reason)
        const { outcome } = runScript(compiled.script, { doc: new Map([['a', [1]]]), limits: { operations: 5000 } })
        return ['changed', 'unchanged', 'failed', 'deleted'].includes(outcome)
      }),
      { numRuns: 500 },
    )
  })
})
