import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FieldRegistry } from '../../documents/index.js'
import { fromPlain, type JsonObject, type JsonValue, parse } from '../../json/index.js'
import {
  formattedText,
  hit,
  hits,
  newFormatter,
  phrase,
  prefix,
  registerNames,
  storedDocument,
  type TestRequest,
  terms,
  word,
} from './hits.fixture.js'
import { leavesOf, plainFormatted, plainMatchedPaths } from './plain.twin.js'

const OAK = terms([prefix('oak')])

describe('the fields of a hit (spec 6 §2.3)', () => {
  const pets = { pets: [{ name: 'bo', age: 2 }, 'rex', { age: 3 }, [{ name: 'al' }, null]], x: 1 }
  const select = (attributesToRetrieve: readonly string[], displayedAttributes: readonly string[] | '*' = '*') =>
    hit(pets, { attributesToRetrieve, settings: { displayedAttributes } })
  const whole = JSON.stringify(pets)

  test('all fields, as they are stored', () => {
    const json = '{"id":18446744073709551615,"a b":{"__proto__":[1.0,1e+20,-0.0,"é\\n\\u0001"]},"1":null}'
    expect(hit(json)).toBe(json)
    expect(hit(pets, { attributesToRetrieve: ['x', '*'] })).toBe(whole)
  })

  test('a path keeps what is below and above it, and everything in arrays on the way', () => {
    expect(hit({ pets: [{ name: 'bo', age: 2 }], x: 1 }, { attributesToRetrieve: ['pets.name'] })).toBe(
      '{"pets":[{"name":"bo"}]}',
    )
    expect(select(['pets.name'])).toBe('{"pets":[{"name":"bo"},"rex",{},[{"name":"al"},null]]}')
    expect(select(['pets'])).toBe(JSON.stringify({ pets: pets.pets }))
    expect(hits([pets, { pets: 5 }], { attributesToRetrieve: ['pets.name'] })[1]).toBe('{"pets":5}')
  })

  test('no fields, unknown fields, patterns: nothing', () => {
    expect(select([])).toBe('{}')
    expect(select(['nope', 'pet*', 'pets.nope'])).toBe('{}')
  })

  test('only what is displayed by exactly its name can be retrieved', () => {
    expect(select(['pets.name'], ['pets'])).toBe('{}')
    expect(select(['*'], ['x'])).toBe('{"x":1}')
    expect(select(['pets', 'x'], ['pets.name', 'x', 'nope'])).toBe('{"x":1}')
    expect(hit(pets, { settings: { displayedAttributes: ['pets.age'] } })).toBe(
      '{"pets":[{"age":2},"rex",{"age":3},[{},null]]}',
    )
    expect(hit(pets, { settings: { displayedAttributes: [] } })).toBe('{}')
  })

  test('vectors are never part of it', () => {
    const document = { id: 1, _vectors: { manual: [1, 2] }, a: { _vectors: 3 } }
    expect(hit(document)).toBe('{"id":1,"a":{"_vectors":3}}')
    expect(hit(document, { attributesToRetrieve: ['_vectors'] })).toBe('{}')
  })
})

describe('which attributes are formatted (spec 5 §6.6)', () => {
  const book = { id: 1, title: 'Old oak tree stories', note: 'oak' }
  const formatted = (request: TestRequest, document: object = book): unknown =>
    JSON.parse(hit(document, { terms: OAK, ...request }))._formatted

  test('without an attribute that is known and displayed there is no `_formatted`', () => {
    expect(formatted({})).toBeUndefined()
    expect(formatted({ attributesToHighlight: ['nope', 'titl*'], attributesToCrop: ['nope:3', ':3', ''] })).toBe(
      undefined,
    )
    const settings = { displayedAttributes: ['id'] }
    expect(formatted({ attributesToHighlight: ['title'], attributesToCrop: ['title'], settings })).toBeUndefined()
    expect(formatted({ attributesToHighlight: ['*'], settings: { displayedAttributes: [] } })).toBeUndefined()
    expect(formatted({ attributesToHighlight: [], attributesToCrop: [] })).toBeUndefined()
  })

  test('an option for a field that the document lacks: an empty `_formatted` is left out', () => {
    const request = { attributesToRetrieve: [], attributesToHighlight: ['b'] }
    expect(hits([{ b: 1 }, { a: 1 }], request)).toEqual(['{"_formatted":{"b":"1"}}', '{}'])
  })

  test('it holds the retrieved fields and those with an option, whether retrieved or not', () => {
    const request = { attributesToRetrieve: ['id'], attributesToHighlight: ['title'], terms: OAK }
    expect(hit(book, request)).toBe('{"id":1,"_formatted":{"id":"1","title":"Old <em>oak</em> tree stories"}}')
    expect(formatted({ attributesToRetrieve: [], attributesToHighlight: ['*'] })).toEqual({
      id: '1',
      title: 'Old <em>oak</em> tree stories',
      note: '<em>oak</em>',
    })
  })

  test('a star means the displayed fields', () => {
    const settings = { displayedAttributes: ['id', 'note'] }
    expect(formatted({ attributesToHighlight: ['*'], settings })).toEqual({ id: '1', note: '<em>oak</em>' })
    expect(formatted({ attributesToCrop: ['*'], settings })).toEqual({ id: '1', note: 'oak' })
  })

  test.each([
    [['title'], 2, 'Old oak…'],
    [['title:3'], 2, 'Old oak tree…'],
    [['title:abc'], 2, 'Old oak…'],
    [['title:'], 2, 'Old oak…'],
    [['title:-1'], 2, 'Old oak…'],
    [['title:0'], 2, 'Old oak tree stories'],
    [['title:3', 'title:1'], 2, '…oak…'],
    [['title:3', '*'], 2, 'Old oak…'],
    [['*', 'title:3'], 2, 'Old oak tree…'],
    [['*:2', 'title:4'], 1, 'Old oak tree stories'],
    [['*:3'], 1, 'Old oak tree…'],
  ])('cropping %j', (attributesToCrop, cropLength, title) => {
    expect(formatted({ attributesToCrop, cropLength })).toMatchObject({ title })
    const settings = { displayedAttributes: ['title'] }
    expect(formatted({ attributesToCrop, cropLength, settings })).toEqual({ title })
  })

  test('`*:2` crops the others', () => {
    const document = { title: 'a b c d e', note: 'a b c d e' }
    expect(formatted({ attributesToCrop: ['*:2', 'title:4'] }, document)).toEqual({ title: 'a b c d…', note: 'a b…' })
  })

  test('a name with a colon needs a length', () => {
    const document = { 'a:b': 'one two three' }
    expect(formatted({ attributesToCrop: ['a:b'] }, document)).toBeUndefined()
    expect(formatted({ attributesToCrop: ['a:b:1'] }, document)).toEqual({ 'a:b': 'one…' })
  })

  test('an option covers what is below it', () => {
    const document = { a: { b: 'old oak', c: ['oak'] }, d: 'oak' }
    expect(formatted({ attributesToHighlight: ['a'] }, document)).toEqual({
      a: { b: 'old <em>oak</em>', c: ['<em>oak</em>'] },
      d: 'oak',
    })
    expect(formatted({ attributesToCrop: ['a:1'] }, document)).toMatchObject({ a: { b: '…oak', c: ['oak'] } })
    expect(formatted({ attributesToHighlight: ['a.b'] }, document)).toEqual({
      a: { b: 'old <em>oak</em>', c: ['oak'] },
      d: 'oak',
    })
  })

  test('an option below covers a leaf', () => {
    const request = { attributesToHighlight: ['a.b'], attributesToCrop: ['a.b:1'], terms: OAK }
    const [, leaf] = hits([{ a: { b: 1 } }, { a: 'old oak' }], request)
    expect(JSON.parse(leaf!)._formatted).toEqual({ a: '…<em>oak</em>' })
  })

  test('of several crops the one of the field known longest counts', () => {
    const document = { a: { b: 'one two three four' } }
    expect(formatted({ attributesToCrop: ['a.b:1', 'a:3'] }, document)).toEqual({ a: { b: 'one two three…' } })
    expect(formatted({ attributesToCrop: ['*:2', 'a.b:1'] }, document)).toEqual({ a: { b: 'one two…' } })
    expect(formatted({ attributesToCrop: ['*:2', 'a:1'] }, document)).toEqual({ a: { b: 'one…' } })
  })
})

describe('values inside `_formatted` (spec 5 §6.7)', () => {
  test('numbers are strings, booleans and null stay', () => {
    const document = '{"id":42,"title":"Old oak","ok":true,"tags":["oak",7],"n":null}'
    expect(hit(document, { attributesToHighlight: ['tags'], attributesToRetrieve: ['*'], terms: OAK })).toBe(
      `${document.slice(0, -1)},"_formatted":{"id":"42","title":"Old oak","ok":true,"tags":["<em>oak</em>","7"],"n":null}}`,
    )
  })

  test('numbers have the text they are shown with', () => {
    const request = {
      attributesToRetrieve: [],
      attributesToHighlight: ['*'],
      terms: terms([prefix('1e'), word('10')]),
    }
    expect(hit('{"a":10.5,"b":1e20,"c":[-0.0,18446744073709551615,true],"d":{"e":1.0}}', request)).toBe(
      '{"_formatted":{"a":"<em>10</em>.5","b":"<em>1e</em>+20","c":["-0.0","18446744073709551615",true],"d":{"e":"1.0"}}}',
    )
    expect(hit('{"a":-5,"b":"é\\n1"}', { attributesToHighlight: ['b'] })).toContain(
      '"_formatted":{"a":"-5","b":"é\\n1"}',
    )
  })

  test('objects are reduced to the selected paths, and arrays to what holds some', () => {
    const request = { attributesToRetrieve: [], attributesToHighlight: ['pets.age'] }
    expect(hit({ pets: [{ name: 'Bo', age: 2 }] }, request)).toBe('{"_formatted":{"pets":[{"age":"2"}]}}')
    const mixed = { pets: [{ name: 'Bo' }, 'rex', { age: 3 }, [{ age: 4 }, null]] }
    expect(hit(mixed, request)).toBe('{"_formatted":{"pets":[{"age":"3"},[{"age":"4"}]]}}')
    expect(hits([mixed, { pets: [['rex']] }, { pets: 5 }], request).slice(1)).toEqual([
      '{"_formatted":{"pets":[[]]}}',
      '{}',
    ])
  })

  test('retrieved and formatted paths of one object come together', () => {
    const request = { attributesToRetrieve: ['dogs.name'], attributesToHighlight: ['dogs.age'] }
    expect(hit({ dogs: [{ name: 'bobby', age: 2, size: 3 }], x: 1 }, request)).toBe(
      '{"dogs":[{"name":"bobby"}],"_formatted":{"dogs":[{"name":"bobby","age":"2"}]}}',
    )
  })

  test('stored vectors are shown there as they were sent, like other fields', () => {
    const document = { title: 'Gläss', _vectors: { manual: [-100, 340] } }
    const request = { attributesToHighlight: ['title'], terms: terms([prefix('glass')]) }
    expect(hit(document, request)).toBe(
      '{"title":"Gläss","_formatted":{"title":"<em>Gläss</em>","_vectors":{"manual":["-100","340"]}}}',
    )
  })

  test('tags and marker are inserted as they are', () => {
    const request = {
      attributesToHighlight: ['t'],
      attributesToCrop: ['t'],
      cropLength: 1,
      highlightPreTag: '<b class="x">',
      highlightPostTag: '',
      cropMarker: '\n"',
    }
    expect(formattedText('<i>old</i> oak &c', { ...request, terms: OAK })).toBe('\n"<b class="x">oak\n"')
  })
})

describe('`_matchesPosition` (spec 5 §6.8)', () => {
  const positions = (document: object, request: TestRequest): unknown =>
    JSON.parse(hit(document, { showMatchesPosition: true, ...request }))._matchesPosition

  test('it is there without a query, and only when asked for', () => {
    expect(hit({ t: 'a' }, { showMatchesPosition: true, attributesToRetrieve: [] })).toBe('{"_matchesPosition":{}}')
    expect(hit({ t: 'oak' }, { terms: OAK })).toBe('{"t":"oak"}')
  })

  test('offsets and lengths are bytes', () => {
    expect(positions({ t: 'Été à la plage, été' }, { terms: terms([word('ete')]) })).toEqual({
      t: [
        { start: 0, length: 5 },
        { start: 19, length: 5 },
      ],
    })
    expect(positions({ t: '😀 oak' }, { terms: OAK })).toEqual({ t: [{ start: 5, length: 3 }] })
  })

  test('a prefix has the length of what was typed, a phrase that of all of it', () => {
    const prince = terms([prefix('pri', 0, ['prince'])])
    expect(positions({ t: 'Le Petit Prince' }, { terms: prince })).toEqual({ t: [{ start: 9, length: 3 }] })
    expect(positions({ t: 'à Prïnce' }, { terms: prince })).toEqual({ t: [{ start: 3, length: 4 }] })
    const world = terms([], [phrase('the', 'world')])
    expect(positions({ t: 'the. World is' }, { terms: world })).toEqual({ t: [{ start: 0, length: 10 }] })
  })

  test('of an array the last matching element is reported, with its indices', () => {
    const fiction = terms([word('fiction')])
    expect(positions({ g: ['Science fiction', 'Fiction noir', 'crime'] }, { terms: fiction })).toEqual({
      g: [{ start: 0, length: 7, indices: [1] }],
    })
    const pets = [{ names: ['oak'] }, { names: ['old oak', 'x'] }]
    expect(positions({ pets }, { terms: OAK })).toEqual({ 'pets.names': [{ start: 4, length: 3, indices: [1, 0] }] })
    expect(positions({ a: [['x', 'oak']] }, { terms: OAK })).toEqual({ a: [{ start: 0, length: 3, indices: [0, 1] }] })
  })

  test('keys are sorted; what is not retrieved is there, what is not displayed is not', () => {
    const document = { z: 'oak', a: { c: 'oak', b: 'oak' }, B: 'oak', hidden: 'oak' }
    const settings = { displayedAttributes: ['z', 'a', 'B'] }
    const found = positions(document, { terms: OAK, attributesToRetrieve: [], settings })
    expect(Object.keys(found as object)).toEqual(['B', 'a.b', 'a.c', 'z'])
    const nested = positions(document, { terms: OAK, settings: { displayedAttributes: ['a.c'] } })
    expect(nested).toEqual({ 'a.c': [{ start: 0, length: 3 }] })
  })

  test('numbers match in their text, booleans and null do not', () => {
    const wanted = terms([word('5'), word('true'), word('null')])
    expect(positions({ a: -2.5, b: true, c: null, d: [true, 15, 5] }, { terms: wanted })).toEqual({
      a: [{ start: 3, length: 1 }],
      d: [{ start: 0, length: 1, indices: [2] }],
    })
  })

  test('cropping and highlighting change nothing', () => {
    const request = { attributesToHighlight: ['*'], attributesToCrop: ['*'], cropLength: 1, terms: OAK }
    expect(hit({ t: 'a b oak' }, { ...request, showMatchesPosition: true })).toBe(
      '{"t":"a b oak","_formatted":{"t":"…<em>oak</em>"},"_matchesPosition":{"t":[{"start":4,"length":3}]}}',
    )
  })
})

test('the complete example of spec 5 §6.9', () => {
  const document = {
    id: 7,
    title: 'Winter in the mountains',
    body: 'Snow boards, skis. The old snowboard stands near the door of the small winter hut.',
    tags: ['winter', 'snow sports'],
  }
  const request = {
    attributesToRetrieve: ['id'],
    attributesToHighlight: ['body', 'tags'],
    attributesToCrop: ['body'],
    cropLength: 4,
    showMatchesPosition: true,
    terms: terms([word('snow', 0), prefix('board', 1), { ...prefix('snowboard'), ids: [0, 1] }]),
  }
  expect(JSON.parse(hit(document, request))).toEqual({
    id: 7,
    _formatted: {
      id: '7',
      body: '…The old <em>snowboard</em> stands…',
      tags: ['winter', '<em>snow</em> sports'],
    },
    _matchesPosition: {
      body: [
        { start: 0, length: 4 },
        { start: 5, length: 5 },
        { start: 27, length: 9 },
      ],
      tags: [{ start: 0, length: 4, indices: [1] }],
    },
  })
})

describe('languages', () => {
  const rule = { localizedAttributes: [{ patterns: ['sv*'], locales: ['swe'] }] }
  const shown = (request: TestRequest): unknown =>
    JSON.parse(
      hit({ sv: 'trä', other: 'trä' }, { attributesToHighlight: ['*'], terms: terms([word('tra')]), ...request }),
    )._formatted

  test('texts are in the languages of the request, else of the first rule of their field', () => {
    expect(shown({})).toEqual({ sv: '<em>trä</em>', other: '<em>trä</em>' })
    expect(shown({ settings: rule })).toEqual({ sv: 'trä', other: '<em>trä</em>' })
    expect(shown({ settings: rule, locales: [] })).toEqual({ sv: '<em>trä</em>', other: '<em>trä</em>' })
    expect(shown({ locales: ['swe'] })).toEqual({ sv: 'trä', other: 'trä' })
  })
})

test('stop words are words here, and dictionary entries are one word', () => {
  const tolkien = { settings: { stopWords: ['the'], dictionary: ['J. R. R.'] }, attributesToHighlight: ['t'] }
  expect(formattedText('The J. R. R. Tolkien', { ...tolkien, terms: terms([word('the'), word('j. r. r.', 1)]) })).toBe(
    '<em>The</em> <em>J. R. R.</em> Tolkien',
  )
})

test('a control character inside a word does not hide it', () => {
  expect(formattedText('o\u0001ak', { attributesToHighlight: ['t'], terms: OAK })).toBe('<em>o\u0001ak</em>')
})

test('attributes that are not searched are highlighted', () => {
  const request = { attributesToHighlight: ['t'], settings: { searchableAttributes: ['other'] }, terms: OAK }
  expect(formattedText('oak', request)).toBe('<em>oak</em>')
})

test('a name that the answer produces itself is left out of the hit', () => {
  const fields = new FieldRegistry()
  const stored = storedDocument(fields, fromPlain({ _formatted: 'x', a: 'y' }))
  expect(newFormatter(fields, {}).members(stored, new Set(['_formatted']))).toBe('"a":"y"')
})

const someKey = fc.constantFrom('a', 'b', 'c', 'a.b', '_vectors')
const someLeaf = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', ' ', '"', '\\', '\n', '1'), maxLength: 6 }),
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(true, false, null, 1.5, 'ab a', 'oak'),
)
const { someObject } = fc.letrec<{ someValue: JsonValue; someObject: JsonObject }>((tie) => ({
  someValue: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    someLeaf.map(fromPlain),
    fc.array(tie('someValue'), { maxLength: 3 }),
    tie('someObject'),
  ),
  someObject: fc.array(fc.tuple(someKey, tie('someValue')), { maxLength: 3 }).map((members) => new Map(members)),
}))
const somePath = fc.constantFrom('a', 'b', 'c', 'a.b', 'a.c', 'b.a', 'a.b.c', 'a.b.a', 'c.c', 'nope')
const somePaths = fc.uniqueArray(somePath, { maxLength: 4 })

test('documents are shown as their leaves say, with nothing lost by copying', () => {
  const wanted = terms([word('a', 0), prefix('oa', 1, ['oak']), word('1', 2)])
  fc.assert(
    fc.property(
      someObject,
      fc.option(somePaths),
      somePaths,
      (document, attributesToRetrieve, attributesToHighlight) => {
        const fields = new FieldRegistry()
        registerNames(fields, document, '')
        const request = { attributesToRetrieve, attributesToHighlight, showMatchesPosition: true, terms: wanted }
        const formatter = newFormatter(fields, request)
        const stored = storedDocument(fields, document)
        const known = (names: readonly string[]) => names.filter((name) => fields.idOf(name) !== undefined)
        const inFieldOrder = new Map(
          stored.map(({ fieldId }) => [fields.nameOf(fieldId), document.get(fields.nameOf(fieldId))!]),
        )
        const highlighted = known(attributesToHighlight)
        const selected = attributesToRetrieve && [...known(attributesToRetrieve), ...highlighted]
        const expected =
          highlighted.length === 0 ? [] : plainFormatted(inFieldOrder, { selected, highlighted, terms: wanted })
        expect(leavesOf(parsed(formatter.formatted(stored) ?? '{}'))).toEqual(expected)
        const positions = parsed(formatter.matchesPosition(stored) ?? '') as JsonObject
        expect([...positions.keys()]).toEqual(plainMatchedPaths(document, wanted))
      },
    ),
    { numRuns: 500 },
  )
})

function parsed(json: string): JsonValue {
  const result = parse(json)
  if (!result.ok) throw new Error(result.reason)
  return result.value
}
