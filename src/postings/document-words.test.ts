import { describe, expect, test } from 'vitest'
import { type FieldId, FieldRegistry, type StoredDocument, sortByField } from '../documents/index.js'
import { fromPlain, print } from '../json/index.js'
import { compileFieldRoles, defaultSettings, type Settings } from '../settings/index.js'
import { wordNumbering } from '../text/index.js'
import { DocumentWords, type TextSelection } from './document-words.js'
import { documentAnalyzer, WordRules } from './word-rules.js'

const everything: TextSelection = { hasRoot: () => true, hasField: () => true, hasFields: true }

/** Texts of values are given as JSON, so that `10.0` stays what it is. */
function stored(registry: FieldRegistry, members: Readonly<Record<string, string>>): StoredDocument {
  return sortByField(
    Object.entries(members).map(([name, json]) => ({ fieldId: registry.register(name), value: Buffer.from(json) })),
  )
}

/** The words of a document by field, each as `word:position`. */
function wordsOf(members: Readonly<Record<string, string>>, settings: Partial<Settings> = {}, selection = everything) {
  const registry = new FieldRegistry()
  const all = { ...defaultSettings, ...settings }
  const rules = new WordRules(registry, compileFieldRoles(all), documentAnalyzer(all))
  const names: string[] = []
  const words = new DocumentWords(
    rules,
    wordNumbering((word) => names.push(word) - 1),
  )
  words.read(stored(registry, members), selection)
  const byField: Record<string, string> = {}
  for (let i = 0; i < words.count; i++) {
    const field = registry.nameOf((words.positions[i]! >>> 16) as FieldId)
    const word = `${names[words.words[i]!]}:${words.positions[i]! & 0xffff}`
    byField[field] = field in byField ? `${byField[field]} ${word}` : word
  }
  expect([...words.positions.subarray(0, words.count)]).toEqual(
    [...words.positions.subarray(0, words.count)].sort((a, b) => a - b),
  )
  for (const field of words.fields.touched) {
    const listed = byField[registry.nameOf(field)]
    expect(words.fields.wordCount(field)).toBe(listed === undefined ? 0 : listed.split(' ').length)
  }
  return byField
}

const json = (value: unknown): string => print(fromPlain(value))

describe('positions of words in a top-level field', () => {
  test.each([
    ['Ada Lovelace, Alan Turing', { f: 'ada:0 lovelace:1 alan:9 turing:10' }],
    ['Ada Lovelace,Alan Turing', { f: 'ada:0 lovelace:1 alan:2 turing:3' }],
    ['A. B.C. D.', { f: 'a:0 b:8 c:9 d:17' }],
    [['a b c', null, 'd'], { f: 'a:0 b:1 c:2 d:18' }],
    [[{ n: 'x y' }, { n: 'z' }], { 'f.n': 'x:0 y:1 z:9' }],
    [{ tags: ['x', 'y'] }, { 'f.tags': 'x:8 y:16' }],
    [', lead', { f: 'lead:0' }],
    [['x', 'y'], { f: 'x:0 y:8' }],
    [{ u: 'x' }, { 'f.u': 'x:0' }],
    [['a', null, 'b'], { f: 'a:0 b:16' }],
    [['a', '', 'b'], { f: 'a:0 b:16' }],
    [['a', [], ['b'], {}, 'c'], { f: 'a:0 b:16 c:32' }],
    [{ u: { v: [['x'], { w: 1 }] } }, { 'f.u.v': 'x:8', 'f.u.v.w': '1:0' }],
    [['a', 'b'.repeat(251), `c ${'d'.repeat(251)} e`], { f: 'a:0 c:16 e:18' }],
    ['quote " and \\ and \u00e9', { f: 'quote:0 and:1 and:2 e:3' }],
  ])('%j', (value, expected) => {
    expect(wordsOf({ f: json(value) })).toEqual(expected)
  })

  test('count stop words, which are not indexed', () => {
    expect(wordsOf({ f: json('the cat and the hat') }, { stopWords: ['the', 'and'] })).toEqual({ f: 'cat:1 hat:4' })
  })

  test('end at 65,535', () => {
    const long = Array.from({ length: 65_540 }, () => 'w').join(' ')
    const { f } = wordsOf({ f: json([long, 'more']) })
    expect(f!.split(' ')).toHaveLength(65_536)
    expect(f).toMatch(/ w:65535$/)
    const nearly = Array.from({ length: 65_530 }, () => 'w').join(' ')
    expect(wordsOf({ f: json([nearly, 'last']) }).f).toMatch(/w:65529$/)
  })
})

describe('the text of a value', () => {
  test.each([
    ['-5', { f: '5:0' }],
    ['10.0', { f: '10:0 0:1' }],
    ['3.14', { f: '3:0 14:1' }],
    ['1e+20', { f: '1e:0 20:1' }],
    ['1e-6', { f: '1e:0 6:1' }],
    ['18446744073709551615', { f: '18446744073709551615:0' }],
    ['true', { f: 'true:0' }],
    ['false', { f: 'false:0' }],
    ['null', {}],
    ['{}', {}],
    ['[]', {}],
    ['""', {}],
    ['[10.0,true,null,-5]', { f: '10:0 0:1 true:9 5:25' }],
    ['{"n":1e+20}', { 'f.n': '1e:0 20:1' }],
  ])('%s', (value, expected) => {
    expect(wordsOf({ f: value })).toEqual(expected)
  })
})

describe('fields', () => {
  test('that are not searchable have no words', () => {
    const members = { id: '1', a: json({ b: 'x', c: 'y' }), d: '"z"', e: json(['v']) }
    expect(wordsOf(members, { searchableAttributes: ['a.b', 'd'] })).toEqual({ 'a.b': 'x:0', d: 'z:0' })
    expect(wordsOf(members, { searchableAttributes: ['a', 'e'] })).toEqual({ 'a.b': 'x:0', 'a.c': 'y:0', e: 'v:0' })
  })

  test('with a meaning of their own are never read', () => {
    const members = { _geo: json({ lat: 1, lng: 2 }), _vectors: json({ x: [1] }), _geojson: json({ type: 'Point' }) }
    expect(wordsOf(members)).toEqual({})
    expect(wordsOf(members, { searchableAttributes: ['_geo', '_vectors', '_geojson'] })).toEqual({})
  })

  test('nested and written with a dot are one, in the order of their top-level names', () => {
    expect(wordsOf({ a: json({ b: 'x' }), 'a.b': '"y"' })).toEqual({ 'a.b': 'x:0 y:8' })
  })

  test('may be visited in another order than that of their numbers', () => {
    const value = json([
      { m: 'a', n: 'b' },
      { n: 'c', m: 'd' },
    ])
    expect(wordsOf({ 'f.n': '"z"', f: value })).toEqual({ 'f.n': 'z:0 b:8 c:16', 'f.m': 'a:0 d:8' })
  })

  test('have locales, which numbers do not look at', () => {
    const localizedAttributes = [{ patterns: ['*'], locales: ['jpn'] }] as unknown as Settings['localizedAttributes']
    const members = { t: json(['経済の本', 5, true]) }
    expect(wordsOf(members, { localizedAttributes })).toEqual({ t: expect.stringContaining('経済:0') })
    expect(wordsOf({ t: json('经济') }, { localizedAttributes })).toEqual({ t: expect.stringContaining('经济') })
  })
})

test('only the selected fields are read', () => {
  const members = { a: json({ b: 'x', c: 'y' }), d: '"z"', e: '"v"' }
  const selection: TextSelection = { hasRoot: (id) => id === 1, hasField: (id) => id === 4, hasFields: true }
  // Numbers: a 0, d 1, e 2, a.b 3, a.c 4.
  expect(wordsOf(members, {}, selection)).toEqual({ 'a.c': 'y:0', d: 'z:0' })
  expect(wordsOf(members, {}, { ...selection, hasFields: false })).toEqual({ d: 'z:0' })
})
