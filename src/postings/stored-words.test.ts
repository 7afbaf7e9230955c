import { describe, expect, test } from 'vitest'
import type { DocId } from '../documents/index.js'
import { FieldRegistry } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { compileFieldRoles, defaultSettings } from '../settings/index.js'
import { toPlain } from './postings.fixture.js'
import { StoredWords } from './stored-words.js'
import { documentAnalyzer, WordRules } from './word-rules.js'
import { clearWords, WordSink } from './word-sink.js'

const registry = new FieldRegistry()
const title = registry.register('title')
const rules = new WordRules(registry, compileFieldRoles(defaultSettings), documentAnalyzer(defaultSettings))

const titled = (text: string) => [{ fieldId: title, value: Buffer.from(JSON.stringify(text)) }]

/** An index of titles and someone who reads it. */
class Titles {
  readonly folder: IndexFolder = temporaryIndex()
  readonly words = new StoredWords(this.folder)
  private readonly held = new Map<number, string>()

  /** In one transaction; undefined removes. */
  put(titles: Readonly<Record<number, string | undefined>>): void {
    this.folder.write(() => {
      const sink = new WordSink(this.folder, { before: rules, after: rules })
      for (const [id, text] of Object.entries(titles)) {
        const before = this.held.get(Number(id))
        sink.change(
          Number(id) as DocId,
          before === undefined ? undefined : titled(before),
          text === undefined ? undefined : titled(text),
        )
        if (text === undefined) this.held.delete(Number(id))
        else this.held.set(Number(id), text)
      }
      sink.finish()
    })
    this.words.refresh()
  }
}

const plain = (entries: Record<number, number[]>) =>
  new Map(Object.entries(entries).map(([id, at]) => [Number(id), at]))

describe('words of an index', () => {
  test('have postings, prefixes, counts and near words', () => {
    const titles = new Titles()
    titles.put({ 0: 'red fox', 5: 'foxes and a fox', 7: 'five' })
    const { words } = titles
    expect(words.dictionary.startingWith('', 9)).toEqual(['a', 'and', 'five', 'fox', 'foxes', 'red'])
    expect(toPlain(words.postings('fox'))).toEqual(plain({ 0: [1], 5: [3] }))
    expect(words.postings('fo')).toBeUndefined()
    expect(toPlain(words.prefixPostings('fo').postings)).toEqual(plain({ 0: [1], 5: [0, 3] }))
    expect(toPlain(words.prefixPostings('').postings)).toEqual(plain({ 0: [0, 1], 5: [0, 1, 2, 3], 7: [0] }))
    expect(toPlain(words.prefixPostings('x').postings)).toEqual(new Map())
    expect(toPlain(words.prefixPostings('fox').postings)).toEqual(plain({ 5: [0] }))
    expect(words.prefixPostings('fox').hasWord).toBe(false)
    expect([0, 5, 6, 7].map((docId) => words.wordCount(docId, title))).toEqual([2, 4, 0, 1])
    expect(words.wordCount(0, 60_000)).toBe(0)
    const search = { word: 'foxe', typos: 1, isPrefix: false, isTolerant: () => true } as const
    expect(words.dictionary.near(search)).toEqual({ one: ['fox', 'foxes'], two: [] })
  })

  test('count up to 30, then "more"', () => {
    const titles = new Titles()
    const repeat = (count: number) => Array.from({ length: count }, () => 'w').join(' ')
    titles.put({ 0: repeat(30), 1: repeat(31), 2: repeat(500) })
    expect([0, 1, 2].map((docId) => titles.words.wordCount(docId, title))).toEqual([30, 31, 31])
  })

  test('may be asked for with any text', () => {
    const { words } = new Titles()
    for (const text of ['', 'x'.repeat(5000), '\0', '\ud800']) {
      expect(words.postings(text)).toBeUndefined()
      expect(words.prefixPostings(text).postings.docIds).toHaveLength(0)
      expect(words.dictionary.has(text)).toBe(false)
      expect(words.dictionary.countStartingWith(text)).toBe(0)
    }
  })
})

describe('a reader', () => {
  test('keeps what did not change, and forgets the words and prefixes that did', () => {
    const titles = new Titles()
    titles.put({ 0: 'red fox', 1: 'blue bird' })
    const { words } = titles
    const kept = [words.postings('red'), words.prefixPostings('r').postings, words.postings('fox')]
    const stale = [
      words.postings('blue'),
      words.prefixPostings('b').postings,
      words.prefixPostings('bl').postings,
      words.prefixPostings('').postings,
    ]
    titles.put({ 1: 'bird', 2: 'brown' })
    expect(
      [words.postings('red'), words.prefixPostings('r').postings, words.postings('fox')].map(
        (now, i) => now === kept[i],
      ),
    ).toEqual([true, true, true])
    const again = [
      words.postings('blue'),
      words.prefixPostings('b').postings,
      words.prefixPostings('bl').postings,
      words.prefixPostings('').postings,
    ]
    expect(again.map((now, i) => now === stale[i])).toEqual([false, false, false, false])
    expect(toPlain(words.prefixPostings('b').postings)).toEqual(plain({ 1: [0], 2: [0] }))
    expect(words.wordCount(1, title)).toBe(1)
  })

  test('forgets everything after a clearing', () => {
    const titles = new Titles()
    titles.put({ 0: 'red fox' })
    titles.words.postings('red')
    titles.words.prefixPostings('r')
    titles.folder.write(() => clearWords(titles.folder))
    titles.words.refresh()
    expect(titles.words.postings('red')).toBeUndefined()
    expect(titles.words.prefixPostings('r').postings.docIds).toHaveLength(0)
    expect([titles.words.dictionary.size, titles.words.wordCount(0, title)]).toEqual([0, 0])
  })

  test('that missed many versions sees the last one', () => {
    const titles = new Titles()
    titles.put({ 0: 'red fox' })
    const late = new StoredWords(titles.folder)
    late.refresh()
    expect(toPlain(late.postings('red'))).toEqual(plain({ 0: [0] }))
    for (let i = 1; i < 80; i++) titles.put({ [i % 3]: `red ${i}` })
    late.refresh()
    expect(toPlain(late.postings('red'))).toEqual(plain({ 0: [0], 1: [0], 2: [0] }))
    expect(late.dictionary.startingWith('', 9)).toEqual(['77', '78', '79', 'red'])
  })

  test('holds no more than its cache may', () => {
    const titles = new Titles()
    titles.put({ 0: 'red fox' })
    const small = new StoredWords(titles.folder, { cacheBytes: 0 })
    small.refresh()
    expect(small.postings('red')).not.toBe(small.postings('red'))
    expect(titles.words.postings('red')).toBe(titles.words.postings('red'))
  })
})
