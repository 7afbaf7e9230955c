// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how scripts interpolate
import { describe, expect, test } from 'vitest'
import { Float, fromPlain, type JsonObject, parse, print } from '../json/index.js'
import { runScript } from './run-script.js'
import { edit, failure, refusal, run, script } from './testing.fixture.js'

// Spec 3 §6.1.

describe('the outcome of a run', () => {
  test('doc = () deletes (case 49)', () => {
    expect(run('doc = ()', { doc: { id: 1 } })).toEqual({ outcome: 'deleted' })
  })

  test('doc that is not a map fails (case 49)', () => {
    expect(run('doc = 5')).toEqual({ outcome: 'failed', reason: '`doc` must be a map or (), not i64' })
  })

  test('the id can be changed or removed: judging that is up to the caller (case 49)', () => {
    expect(edit('doc.id = 99', { doc: { id: 1 } })).toBe('{"id":99}')
    expect(edit('doc.remove("id")', { doc: { id: 1 } })).toBe('{}')
  })

  test.each([
    ['', 'unchanged'],
    ['doc.a = 1', 'unchanged'],
    ['doc.a = 1.0', '{"a":1.0,"b":[{"c":2,"d":null}]}'],
    ['doc.b[0].c += 1; doc.b[0].c -= 1', 'unchanged'],
    ['doc = #{b: [#{d: (), c: 2}], a: 1}', 'unchanged'],
    ['doc.x = 1; doc.remove("x")', 'unchanged'],
    ['doc.b.push(1)', '{"a":1,"b":[{"c":2,"d":null},1]}'],
    ['doc.b = [1]; doc.b', '{"a":1,"b":[1]}'],
    ['doc.remove("a")', '{"b":[{"c":2,"d":null}]}'],
  ])('%s gives %s', (source, expected) => {
    expect(edit(source, { doc: { a: 1, b: [{ d: null, c: 2 }] } })).toBe(expected)
  })

  test('the result value of the script is ignored', () => {
    expect(edit('5')).toBe('unchanged')
  })

  test('the given document and context stay as they are', () => {
    const doc = fromPlain({ a: [1, { b: 2 }] }) as JsonObject
    const context = fromPlain({ list: [1] }) as JsonObject
    const source = script('doc.a[1].b = 3; doc.a.push(context); doc.a[2].list.push(9); doc.a[0] = context.list')
    const outcome = runScript(source, { doc, context })
    expect(outcome.outcome === 'changed' && print(outcome.doc)).toBe('{"a":[[1],{"b":3},{"list":[1,9]}]}')
    expect([print(doc), print(context)]).toEqual(['{"a":[1,{"b":2}]}', '{"list":[1]}'])
  })

  test('a script can be run many times', () => {
    const source = script('let n = 0; let f = || n += 1; f.call(); doc.n = n + doc.n')
    const runs = [1, 2, 3].map((n) => runScript(source, { doc: new Map([['n', n]]) }))
    expect(runs.map((outcome) => outcome.outcome === 'changed' && print(outcome.doc))).toEqual([
      '{"n":2}',
      '{"n":3}',
      '{"n":4}',
    ])
  })
})

describe('JSON in scripts', () => {
  const json = (text: string) => {
    const parsed = parse(text)
    if (!parsed.ok) throw new Error(parsed.reason)
    return parsed.value as JsonObject
  }

  test('every value has its type', () => {
    const doc = json(
      '{"a":null,"b":true,"c":1,"d":9223372036854775807,"e":1.0,"f":"s","g":[],"h":{},"i":18446744073709551615}',
    )
    const outcome = runScript(script('doc = #{types: doc.values().map(|v| type_of(v))}'), { doc })
    expect(outcome.outcome === 'changed' && print(outcome.doc)).toBe(
      '{"types":["()","bool","i64","i64","f64","string","array","map","f64"]}',
    )
  })

  test('an integer beyond 63 bits becomes a float, which changes the document', () => {
    const outcome = runScript(script(''), { doc: json('{"a":[{"b":9223372036854775808}],"c":9223372036854775807}') })
    expect(outcome.outcome === 'changed' && print(outcome.doc)).toBe(
      '{"a":[{"b":9.223372036854776e+18}],"c":9223372036854775807}',
    )
    const context = json('{"n":18446744073709551615}')
    expect(edit('doc.t = type_of(context.n)', { context: { n: 1 } })).toBe('{"t":"i64"}')
    const given = runScript(script('doc.t = type_of(context.n)'), { doc: new Map(), context })
    expect(given.outcome === 'changed' && print(given.doc)).toBe('{"t":"f64"}')
  })

  test('() becomes null, characters strings, NaN and infinity null', () => {
    expect(edit(`doc = #{a: (), b: 'c', c: 0.0 / 0.0, d: [1.0 / 0.0]}`)).toBe('{"a":null,"b":"c","c":null,"d":[null]}')
  })

  test('functions and ranges cannot be stored', () => {
    expect(failure('doc.f = || 1')).toBe('JSON cannot hold a value of type Fn')
    expect(failure('doc.f = [1..2]')).toBe('JSON cannot hold a value of type range')
  })

  test('maps of a changed document are sorted by the bytes of their keys', () => {
    const doc = { z: { b: 1, a: { d: 1, c: 2 } }, '\u{1F600}': 1, '\uFFFD': 2, a: [{ y: 1, x: 2 }] }
    expect(edit('doc.n = 1', { doc })).toBe(
      '{"a":[{"x":2,"y":1}],"n":1,"z":{"a":{"c":2,"d":1},"b":1},"\uFFFD":2,"😀":1}',
    )
  })

  test('-0.0 and 0.0 are equal', () => {
    expect(run('doc.a = 0.0', { doc: new Map([['a', new Float(-0)]]) }).outcome).toBe('unchanged')
  })
})

describe('cases of spec 3 §10', () => {
  test('47: a source that does not compile is refused with its place', () => {
    expect(refusal('doc.x =')).toBe('an expression was expected, not the end of the script (line 1, position 8)')
  })

  test('48: interpolation with the context', () => {
    const source = 'doc.comment = `Yer a wizard, ${context.ctx}!`'
    expect(edit(source, { doc: { id: 4 }, context: { ctx: 'Harry' } })).toBe(
      '{"comment":"Yer a wizard, Harry!","id":4}',
    )
  })

  test('50: doc.n = doc.missing + 1 fails', () => {
    expect(failure('doc.n = doc.missing + 1')).toBe('function not found: + ((), i64) (line 1, position 21)')
  })

  test('51: trim works in place, its result is (), and loop {} fails', () => {
    const doc = { t: ' a ' }
    expect(edit('doc.t.trim()', { doc })).toBe('{"t":"a"}')
    expect(edit('doc.t = doc.t.trim()', { doc })).toBe('{"t":null}')
    expect(failure('loop {}')).toBe('the script uses more than 1000000 operations (line 1, position 1)')
  })

  test('context is defined only when it is given', () => {
    expect(failure('context')).toBe('variable not found: context (line 1, position 1)')
    expect(failure('let f = || context; f.call()')).toBe('variable not found: context (line 1, position 12)')
  })
})

test.each([
  ['doc.title = doc.title.to_upper()', { title: 'abc' }, '{"title":"ABC"}'],
  ['doc.full = `${doc.first} ${doc.last}`', { first: 'A', last: 'B' }, '{"first":"A","full":"A B","last":"B"}'],
  ['if "tags" in doc { doc.tags.retain(|t| t != context.old); }', { tags: ['old', 'b'] }, '{"tags":["b"]}'],
  ['if "tags" in doc { doc.tags.retain(|t| t != context.old); }', { a: 1 }, 'unchanged'],
  ['doc.actors = doc.actors.filter(|id| id != context.deleted_id)', { actors: [1, 2, 3] }, '{"actors":[1,3]}'],
  ['if doc.stock == 0 { doc = () }', { stock: 0 }, 'deleted'],
  ['doc.views = (doc.views ?? 0) + 1', {}, '{"views":1}'],
  ['doc.views = (doc.views ?? 0) + 1', { views: 9 }, '{"views":10}'],
  ['if context.ids.contains(doc.id) { doc.price = doc.price * 0.8 }', { id: 5, price: 10 }, '{"id":5,"price":8.0}'],
])('the example %s', (source, doc, expected) => {
  const context = { old: 'old', deleted_id: 2, ids: [4, 5] }
  expect(edit(source, { doc, context })).toBe(expected)
})
