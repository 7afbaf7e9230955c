import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyFilter, at, refusal, tree, withoutColumns } from './filters.fixture.js'
import type { Filter } from './model.js'
import { filterFromQuery, parseFilter } from './parse-filter.js'
import { printFilter } from './print-filter.js'

const plain = (filter: unknown): Filter => withoutColumns(tree(filter))
const is = (name: string, value: string): Filter => ({ kind: 'compare', attribute: at(name), operator: '=', value })
const not = (operand: Filter): Filter => ({ kind: 'not', operand })
const and = (...operands: Filter[]): Filter => ({ kind: 'and', operands })
const or = (...operands: Filter[]): Filter => ({ kind: 'or', operands })
const search = { code: 'invalid_search_filter', reading: 'twice' } as const

describe('forms of a filter', () => {
  test.each([[''], [' \n '], [[]], [[[]]], [['']], [['', [], ['  ']]]])('%j is no filter', (filter) => {
    expect(parseFilter(filter, search)).toEqual({ ok: true, value: undefined })
  })

  test('an array is a conjunction, an array inside it a disjunction', () => {
    expect(plain(['a = 1', ['b = 2', 'b = 3']])).toEqual(and(is('a', '1'), or(is('b', '2'), is('b', '3'))))
    expect(plain([['a = 1'], '', []])).toEqual(is('a', '1'))
  })

  test('each string of an array is an expression of its own', () => {
    expect(plain(['a = 1 OR b = 2', 'c = 3'])).toEqual(and(or(is('a', '1'), is('b', '2')), is('c', '3')))
    expect(refusal(['(a = 1', 'b = 2)'])).toContain('`.filter[0]`: a closing `)` was expected')
    expect(refusal([['a = 1', 'b']])).toContain('`.filter[0][1]`')
  })

  test.each([
    [true, '`.filter`: a string or an array was expected, a boolean was found: true.'],
    [null, '`.filter`: a string or an array was expected, null was found: null.'],
    [{ a: 1 }, '`.filter`: a string or an array was expected, an object was found: {"a":1}.'],
    [['a = 1', 5], '`.filter[1]`: a string or an array of strings was expected, a positive integer was found: 5.'],
    [[['a = 1', ['b = 2']]], '`.filter[0][1]`: a string was expected, an array was found: ["b = 2"].'],
  ])('%j is refused', (filter, message) => {
    expect(refusal(filter, { code: 'invalid_document_filter' })).toBe(message)
  })

  test('a query parameter is JSON if it can be, else an expression', () => {
    expect(filterFromQuery('["a = 1"]')).toEqual(['a = 1'])
    expect(filterFromQuery('a = 1')).toBe('a = 1')
    expect(filterFromQuery('5')).toBe(5)
    expect(filterFromQuery('true')).toBe(true)
    expect(filterFromQuery('"a = 1"')).toBe('a = 1')
    expect(filterFromQuery('null')).toBe('null')
    expect(filterFromQuery('')).toBe('')
  })
})

describe('grammar', () => {
  test.each<[string, Filter]>([
    ['a=1 OR b=2 AND NOT c=3', or(is('a', '1'), and(is('b', '2'), not(is('c', '3'))))],
    ['(a=1 OR b=2) AND c=3', and(or(is('a', '1'), is('b', '2')), is('c', '3'))],
    ['a=1 AND b=2 AND c=3', and(is('a', '1'), is('b', '2'), is('c', '3'))],
    ['NOT NOT a = 1', is('a', '1')],
    ['NOT(a = 1)', not(is('a', '1'))],
    ['NOT NOT NOT a = 1', not(is('a', '1'))],
    ['NOT a IS NOT NULL', { kind: 'null', attribute: at('a') }],
    ['a IS NOT  EMPTY', not({ kind: 'empty', attribute: at('a') })],
    ['a NOT\tEXISTS', not({ kind: 'exists', attribute: at('a') })],
    ['"my field" != \'x y\'', { kind: 'compare', attribute: at('my field'), operator: '!=', value: 'x y' }],
    ['a<=1', { kind: 'compare', attribute: at('a'), operator: '<=', value: '1' }],
    ['a>-.5', { kind: 'compare', attribute: at('a'), operator: '>', value: '-.5' }],
    ["size IN[ s , 'x l', ]", { kind: 'in', attribute: at('size'), values: ['s', 'x l'] }],
    ['size NOT IN []', not({ kind: 'in', attribute: at('size'), values: [] })],
    ['price -5 TO 1e3', { kind: 'between', attribute: at('price'), from: '-5', to: '1e3' }],
    ['price "a"TO\n"b"', { kind: 'between', attribute: at('price'), from: 'a', to: 'b' }],
    ['"AND" EXISTS', { kind: 'exists', attribute: at('AND') }],
    ['a IN [x, "AND"]', { kind: 'in', attribute: at('a'), values: ['x', 'AND'] }],
    ['ORdog = NOTcat', is('ORdog', 'NOTcat')],
    ['and = or', is('and', 'or')],
    ['a CONTAINSb', { kind: 'contains', attribute: at('a'), value: 'b' }],
    ['a NOT CONTAINS "b"', not({ kind: 'contains', attribute: at('a'), value: 'b' })],
    ["a STARTS WITH'b'", { kind: 'startsWith', attribute: at('a'), value: 'b' }],
    ['a NOT STARTS WITH b', not({ kind: 'startsWith', attribute: at('a'), value: 'b' })],
    ['  été.日本-1_x = ٣  ', is('été.日本-1_x', '٣')],
    ['_geo.lat > 1', { kind: 'compare', attribute: at('_geo.lat'), operator: '>', value: '1' }],
    ['"_geo" EXISTS', { kind: 'exists', attribute: at('_geo') }],
    ['_geojson EXISTS', { kind: 'exists', attribute: at('_geojson') }],
    ['_foreign = x', is('_foreign', 'x')],
    ['_shard != "a"', { kind: 'compare', attribute: at('_shard'), operator: '!=', value: 'a' }],
  ])('%s', (expression, expected) => {
    expect(plain(expression)).toEqual(expected)
  })

  test('attributes know their columns', () => {
    expect(tree('a = 1 AND  "b c" = 2')).toMatchObject({
      operands: [{ attribute: { columns: { start: 1, end: 2 } } }, { attribute: { columns: { start: 12, end: 17 } } }],
    })
  })

  test.each([
    ['a = b = c', 'the end of the expression, `AND` or `OR` was expected, but "= c" was found, at columns 7:10'],
    ['a = 1 b = 2', 'the end of the expression, `AND` or `OR` was expected, but "b = 2" was found, at columns 7:12'],
    ['a = 1)', 'the end of the expression, `AND` or `OR` was expected, but ")" was found, at columns 6:7'],
    ['a = 1 and b = 2', 'the end of the expression'],
    ['title = foo/bar', 'the end of the expression, `AND` or `OR` was expected, but "/bar" was found'],
    ['a = Glass XOR b = Glass', 'the end of the expression'],
    ['price 10 TO20', 'an operator ('],
    ['price 10 TO', 'an operator ('],
    ['a', 'an operator ('],
    ['a b', 'was expected, but "b" was found, at columns 3:4 of "a b".'],
    ['title & Glass', 'but "& Glass" was found'],
    ['a NOT b = 1', 'an operator ('],
    ['a NULL', 'an operator ('],
    ['a IS EXISTS', 'an operator ('],
    ['a STARTS  WITH b', 'an operator ('],
    ['a AND b = 1', 'an operator ('],
    ['a = 1 OR', 'an attribute and an operator ('],
    ['a = 1 AND AND b = 1', '`AND` is a reserved keyword'],
    ['a =', 'a value was expected, but the expression ends, at columns 4:4'],
    ['a = 🦀', 'a value was expected, but "🦀" was found'],
    ['a > EXISTS', 'a value was expected, but `EXISTS` is a reserved keyword: quote it, at columns 5:11'],
    ['a = NULL', '`NULL` is a reserved keyword'],
    ['AND = 8', '`AND` is a reserved keyword'],
    ['a IN [x, AND]', '`AND` is a reserved keyword'],
    ["a = 'x", "a closing ' is missing, at columns 5:7"],
    ['(a = 1', 'a closing `)` was expected, but the expression ends'],
    ['a IN x', '`[` was expected after `IN`, but "x" was found'],
    ['a IN [x', 'a closing `]` was expected'],
    ['a IN [', 'a closing `]` was expected'],
    [
      'a IN [x > 1]',
      'only values separated by commas were expected up to the closing `]` of `IN`, but "> 1]" was found',
    ],
    ['a IN [,]', 'a value was expected'],
    ['_geo = 1', '"_geo" is a reserved name'],
    ['_geoPoint = 1', '"_geoPoint" is a reserved name'],
    ['_geoPoint(1,2) = 1', '"_geoPoint" is a reserved name'],
    ['_geoDistance < 1', '"_geoDistance" is a reserved name'],
    ['a = _geoDistanceX', '"_geoDistanceX" is a reserved name'],
    ['x = _geoRadius(1,2,3)', '`_geoRadius` is a reserved keyword'],
    ['x = _geoBoundingBox([1,2],[1,2])', '`_geoBoundingBox` is a reserved keyword'],
    ['_geoRadius (1,2,3)', '`_geoRadius` is a reserved keyword'],
    ['()', 'an attribute and an operator ('],
    ['NOT', 'an attribute and an operator ('],
  ])('%s is refused', (expression, message) => {
    expect(refusal(expression)).toContain(message)
  })
})

describe('quoted texts', () => {
  test.each([
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"a\"b"`, 'a"b'],
    [`"it's"`, "it's"],
    [String.raw`"\\ \/ \b\f\n\r\t\v"`, '\\ / \b\f\n\r\t\v'],
    [String.raw`"\x41\u00e9\u{1F600}\ud83d\ude00"`, 'Aé😀😀'],
    [String.raw`"\0\7\101\3777"`, '\0\x07A\u00ff7'],
    ['""', ''],
  ])('%s is read', (literal, value) => {
    expect(plain(`a = ${literal}`)).toEqual(is('a', value))
    expect(plain(`${literal} = a`)).toEqual(is(value, 'a'))
  })

  test.each([
    String.raw`"\q"`,
    String.raw`"\x4"`,
    String.raw`"\u12"`,
    String.raw`"\u{110000}"`,
    String.raw`"\u{}"`,
    String.raw`"\ud83d"`,
    String.raw`"\400"`,
    String.raw`"\8"`,
    String.raw`"a\"`,
  ])('%s is refused', (literal) => {
    expect(refusal(`a = ${literal}`)).toMatch(/escape|closing|surrogate/)
  })

  test.each([
    ['plain', 'plain'],
    [String.raw`"say \"hi\""`, 'say "hi"'],
    [String.raw`"a\\b"`, 'a\b'],
    [String.raw`"a\\\\b"`, 'a\\b'],
    [String.raw`"\\x41"`, 'A'],
  ])('on search routes %s is read twice', (literal, value) => {
    const expected = { kind: 'in', attribute: at(value), values: [value] }
    expect(withoutColumns(tree(`${literal} IN [${literal}]`, 'twice'))).toEqual(expected)
  })

  test.each([String.raw`"\\q"`, String.raw`"a\\"`, String.raw`"a\\\"b"`])(
    'on search routes %s is refused',
    (literal) => {
      const message = refusal(`a = ${literal}`, { reading: 'twice' })
      expect(message).toContain('cannot be read')
      expect(message).toContain(`at columns 5:${5 + literal.length}`)
      expect(tree(`a = ${literal}`, 'once')).toBeDefined()
      expect(refusal(`_vectors.${literal} EXISTS`, { reading: 'twice' })).toContain('cannot be read')
    },
  )
})

describe('geo functions', () => {
  test.each<[string, Filter]>([
    ['_geoRadius(45.4, -9, 1e3)', { kind: 'geoRadius', center: { lat: 45.4, lng: -9 }, meters: 1000, resolution: 125 }],
    ['_geoRadius( +1 ,2.,.5 , 7.9 )', { kind: 'geoRadius', center: { lat: 1, lng: 2 }, meters: 0.5, resolution: 7 }],
    [
      '_geoBoundingBox([89, 179], [-89,-179])',
      { kind: 'geoBoundingBox', box: { topRight: { lat: 89, lng: 179 }, bottomLeft: { lat: -89, lng: -179 } } },
    ],
    [
      '_geoPolygon([0,0],[0,2],[2,2],)',
      {
        kind: 'geoPolygon',
        points: [
          { lat: 0, lng: 0 },
          { lat: 0, lng: 2 },
          { lat: 2, lng: 2 },
        ],
      },
    ],
  ])('%s', (expression, expected) => {
    expect(plain(expression)).toEqual(expected)
    expect(plain(`NOT ${expression} AND a = 1`)).toEqual(and(not(expected), is('a', '1')))
  })

  test.each([
    ['_geoRadius()', 'the form _geoRadius(lat, lng, metres) or'],
    ['_geoRadius(a, 2, 3)', 'the form _geoRadius(lat, lng, metres) or'],
    ['_geoRadius(1, 2, 3', 'the form _geoRadius(lat, lng, metres) or'],
    ['_geoRadius(1, 2, 3,)', 'the form _geoRadius(lat, lng, metres) or'],
    ['_geoRadius(1, 2, 1e999)', 'the form _geoRadius(lat, lng, metres) or'],
    ['_geoRadius(1,2)', '3 or 4 arguments were expected, 2 were found'],
    ['_geoRadius(1)', '3 or 4 arguments were expected, 1 were found'],
    ['_geoRadius(1,2,3,4,5)', '3 or 4 arguments were expected, 5 were found'],
    ['_geoBoundingBox([1,2],[3])', 'a pair of coordinates was expected, 1 were found'],
    ['_geoBoundingBox([1,2,3],[3,4])', 'a pair of coordinates was expected, 3 were found'],
    ['_geoBoundingBox([1,2])', 'the form _geoBoundingBox([lat, lng], [lat, lng])'],
    ['_geoBoundingBox([1,2],[3,4],[5,6])', 'the form _geoBoundingBox([lat, lng], [lat, lng])'],
    ['_geoBoundingBox(1,2,3,4)', 'the form _geoBoundingBox([lat, lng], [lat, lng])'],
    ['_geoPolygon([1,2],[3,4])', 'at least 3 points were expected, 2 were found'],
    ['_geoPolygon([1,2],[3,4],[5])', 'a pair of coordinates was expected, 1 were found'],
    ['_geoPolygon([1,2] [3,4])', 'the form _geoPolygon('],
    ['_geoPolygon()', 'the form _geoPolygon('],
  ])('%s is refused', (expression, message) => {
    expect(refusal(expression)).toContain(message)
  })
})

describe('vectors and foreign filters', () => {
  test.each([
    ['_vectors EXISTS', { part: 'any' }],
    ['_vectors.e EXISTS', { part: 'any', embedder: 'e' }],
    ['_vectors."my.e" EXISTS', { part: 'any', embedder: 'my.e' }],
    ['_vectors.userProvided EXISTS', { part: 'any', embedder: 'userProvided' }],
    ['_vectors.e.userProvided EXISTS', { part: 'userProvided', embedder: 'e' }],
    ["_vectors.'e'.documentTemplate EXISTS", { part: 'documentTemplate', embedder: 'e' }],
    ['_vectors.e.regenerate EXISTS', { part: 'regenerate', embedder: 'e' }],
    ['_vectors.e.fragments.f EXISTS', { part: 'fragment', embedder: 'e', fragment: 'f' }],
    ['_vectors.e.fragments."f g"EXISTS', { part: 'fragment', embedder: 'e', fragment: 'f g' }],
  ])('%s', (expression, vectors) => {
    expect(plain(expression)).toEqual({ kind: 'vectors', vectors })
    expect(plain(expression.replace('EXISTS', ' NOT EXISTS'))).toEqual(not({ kind: 'vectors', vectors } as Filter))
  })

  test.each([
    '_vectors. EXISTS',
    '_vectors.e. EXISTS',
    '_vectors.e.nope EXISTS',
    '_vectors.e."userProvided" EXISTS',
    '_vectors.e.userProvided.regenerate EXISTS',
    '_vectors.e.fragments EXISTS',
    '_vectors.e.fragments. EXISTS',
    '_vectors.e.fragments.a.b EXISTS',
    '_vectors"e" EXISTS',
  ])('%s is refused', (expression) => {
    expect(refusal(expression)).toContain('_vectors[.<embedder>[.fragments.<name>')
  })

  test('in front of other operators `_vectors` is an ordinary name', () => {
    expect(plain('_vectors.a.b = 1')).toEqual(is('_vectors.a.b', '1'))
    expect(plain('"_vectors" EXISTS')).toEqual({ kind: 'exists', attribute: at('_vectors') })
    expect(plain('_vectorsX EXISTS')).toEqual({ kind: 'exists', attribute: at('_vectorsX') })
  })

  test('a foreign filter holds a field and a whole expression', () => {
    expect(plain('g = 1 AND _foreign( author , b = 2 OR c = 3 )')).toEqual(
      and(is('g', '1'), { kind: 'foreign', field: at('author'), filter: or(is('b', '2'), is('c', '3')) }),
    )
    expect(refusal('_foreign(author)')).toContain('`_foreign(field, filter)`')
    expect(refusal('_foreign(author, b = 2')).toContain('a closing `)`')
    expect(refusal('_foreign(author, )')).toContain('an attribute and an operator')
    expect(refusal('_foreign (author, b = 2)')).toContain('an operator (')
  })
})

describe('limits', () => {
  const nested = (open: string, times: number, close = '') => open.repeat(times) + 'a = 1' + close.repeat(times)

  test('36 parentheses or 147 negations are read, one more is refused', () => {
    expect(plain(nested('(', 36, ')'))).toEqual(is('a', '1'))
    expect(refusal(nested('(', 37, ')'))).toContain('less nesting')
    expect(plain(nested('NOT ', 147))).toEqual(not(is('a', '1')))
    expect(refusal(nested('NOT ', 148))).toContain('less nesting')
    expect(plain(nested('NOT (', 29, ')'))).toEqual(not(is('a', '1')))
    expect(refusal(nested('NOT (', 30, ')'))).toContain('less nesting')
    expect(plain(nested('_foreign(x, ', 36, ')'))).toBeDefined()
    expect(refusal(nested('_foreign(x, ', 37, ')'))).toContain('less nesting')
  })

  test('nesting counts on each path, not in all', () => {
    const deep = nested('(', 36, ')')
    expect(plain(`${deep} AND ${deep}`)).toEqual(and(is('a', '1'), is('a', '1')))
  })

  test('long and hostile expressions are answered at once', () => {
    expect(tree(Array(10_000).fill('a = 1').join(' AND '))).toMatchObject({ operands: { length: 10_000 } })
    expect(tree(Array(5000).fill('a = 1').join(' OR '))).toMatchObject({ operands: { length: 5000 } })
    const values = Array.from({ length: 100_000 }, (_, i) => String(i))
    expect(tree(`a IN [${values.join(',')}]`)).toMatchObject({ kind: 'in', values: { length: 100_000 } })
    expect(refusal(nested('(', 2000, ')'))).toContain('less nesting')
    expect(refusal(nested('(', 1_000_000))).toContain('less nesting')
    expect(refusal(`a IN ${'['.repeat(100_000)}`)).toContain('a value was expected')
    expect(refusal(`a = "${'\\"'.repeat(500_000)}`)).toContain('a closing " is missing')
    expect(refusal(`a = ${'1'.repeat(1_000_000)}/`)).toContain('the end of the expression')
    expect(refusal(`_geoRadius(${'1'.repeat(1_000_000)}, x`)).toContain('_geoRadius(lat')
    expect(refusal(`a${' '.repeat(1_000_000)}&`)).toContain('an operator')
    expect(refusal(`a IS${' '.repeat(1_000_000)}NOT${' '.repeat(1_000_000)}x`)).toContain('an operator')
  })

  test('messages show only the start of long expressions', () => {
    expect(refusal(`a ${'x'.repeat(1_000_000)}`).length).toBeLessThan(1000)
  })
})

test('a printed filter reads back as the same filter', () => {
  fc.assert(
    fc.property(anyFilter, fc.constantFrom('once' as const, 'twice' as const), (filter, reading) => {
      expect(withoutColumns(tree(printFilter(filter, reading), reading))).toEqual(filter)
    }),
    { numRuns: 500 },
  )
})

test('no text makes the parser fail other than by a refusal', () => {
  const pieces = fc.constantFrom('a', '=', '!=', ' ', 'AND', 'OR', 'NOT', '(', ')', '[', ']', ',', '"', "'", '\\', 'IN')
  const more = fc.constantFrom(
    'IS',
    'NULL',
    'TO',
    '1',
    '_geoRadius(',
    '_vectors',
    '.',
    'EXISTS',
    '_foreign(',
    '😀',
    'x',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, more), { maxLength: 20 }), (parts) => {
      expect(typeof parseFilter(parts.join(''), search).ok).toBe('boolean')
    }),
    { numRuns: 2000 },
  )
})
