import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareBytes, sortedUnique } from '../byte-order/index.js'
import { ByteReader, ByteWriter, CorruptBytes } from '../bytes/index.js'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { decodeDictionaryBlock, encodeDictionaryBlock, generationOf } from './dictionary-block.js'
import { DictionaryWriter } from './dictionary-writer.js'
import { readWords, type WordColumns, wordsOf, writeWords } from './front-coding.js'
import { StoredDictionary } from './stored-dictionary.js'

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '\u0001', 'é', 'ê', '日', '本', '\uffff', '😀', '🔑'),
  minLength: 1,
  maxLength: 5,
})

const words = fc.uniqueArray(word, { maxLength: 60 }).map(sortedUnique)

const toBytes = (list: readonly string[]): Buffer[] => list.map((text) => Buffer.from(text))

const textsOf = (columns: WordColumns): string[] => wordsOf(columns).map((word) => word.toString())

function change(folder: IndexFolder, gained: readonly string[], lost: readonly string[], maxWords?: number): void {
  const changes = sortedUnique([...gained, ...lost]).map((text) => ({
    word: Buffer.from(text),
    isGained: gained.includes(text),
  }))
  folder.write(() =>
    new DictionaryWriter(folder.databases.dictionary, folder.nextContentVersion(), maxWords).apply(changes),
  )
}

function read(folder: IndexFolder): StoredDictionary {
  const dictionary = new StoredDictionary(folder.databases.dictionary)
  dictionary.readAll()
  return dictionary
}

/** Reads again after every so many changes, in both ways. */
class Follower {
  readonly byBlocks: StoredDictionary
  readonly byWords: StoredDictionary
  private missed: string[] = []
  private rounds = 0

  constructor(
    folder: IndexFolder,
    private readonly every: number,
  ) {
    this.byBlocks = read(folder)
    this.byWords = read(folder)
  }

  /** Answers whether it has read. */
  learn(renewed: readonly string[]): boolean {
    this.missed.push(...renewed)
    if (++this.rounds % this.every !== 0) return false
    this.byBlocks.readAll()
    this.byWords.readAround(new Set(this.missed))
    this.missed = []
    return true
  }
}

describe('front coding', () => {
  test('gives back the words, also in a block of the dictionary', () => {
    fc.assert(
      fc.property(words, (list) => {
        const writer = new ByteWriter()
        writeWords(writer, toBytes(list))
        expect(textsOf(readWords(new ByteReader(writer.take())))).toEqual(list)
        const block = encodeDictionaryBlock(7, toBytes(list))
        expect([generationOf(block), textsOf(decodeDictionaryBlock(block))]).toEqual([7, list])
      }),
    )
  })

  test('holds the longest words', () => {
    const list = ['a'.repeat(250), 'b'.repeat(249), `${'b'.repeat(249)}c`]
    expect(textsOf(decodeDictionaryBlock(encodeDictionaryBlock(1, toBytes(list))))).toEqual(list)
  })

  test('reports damage', () => {
    expect(() => generationOf(Buffer.of(9))).toThrow('a block of the dictionary has version 9')
    const writer = new ByteWriter()
    writeWords(writer, toBytes(['ab', 'abc', 'b']))
    const bytes = writer.take()
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readWords(new ByteReader(bytes.subarray(0, length)))).toThrow(CorruptBytes)
    }
    expect(() => readWords(new ByteReader(Buffer.of(1, 2, 3, 1, 65)))).toThrow(CorruptBytes)
    expect(() => readWords(new ByteReader(Buffer.of(255, 255, 255, 255, 15, 0)))).toThrow(CorruptBytes)
  })
})

describe('the dictionary', () => {
  test('holds what was gained and not lost, in byte order, through random changes', () => {
    const folder = temporaryIndex()
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words), { maxLength: 8 }), fc.constantFrom(2, 7), (rounds, maxWords) => {
        folder.write(() => folder.databases.dictionary.clear())
        const held = new Set<string>()
        const followers = [1, 2, 3].map((every) => new Follower(folder, every))
        for (const [gained, lost] of rounds) {
          for (const text of lost) held.delete(text)
          for (const text of gained) held.add(text)
          change(folder, gained, lost, maxWords)
          const current = followers.filter((follower) => follower.learn([...gained, ...lost]))
          for (const dictionary of [read(folder), ...current.flatMap(({ byBlocks, byWords }) => [byBlocks, byWords])]) {
            expect(dictionary.startingWith('', 1000)).toEqual(sortedUnique(held))
            expect(dictionary.size).toBe(held.size)
          }
          for (const { value } of folder.databases.dictionary.range()) {
            const count = decodeDictionaryBlock(value).ends.length
            expect([count > 0, count <= maxWords]).toEqual([true, true])
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  test('is read again as a whole when a block has gone', () => {
    const folder = temporaryIndex()
    change(folder, ['a', 'b', 'c', 'd', 'e', 'f'], [], 2)
    const follower = new Follower(folder, 2)
    change(folder, [], ['c', 'd'], 2)
    follower.learn(['c', 'd'])
    // It goes to the block of `a` and `b`, since there is none that begins with `c` any more.
    change(folder, ['d'], [], 8)
    follower.learn(['d'])
    expect(follower.byWords.startingWith('', 9)).toEqual(['a', 'b', 'd', 'e', 'f'])
  })

  test('finds words and prefixes as a plain list does', () => {
    const folder = temporaryIndex()
    fc.assert(
      fc.property(words, fc.array(word), fc.nat(5), (list, asked, limit) => {
        folder.write(() => folder.databases.dictionary.clear())
        change(folder, list, [], 4)
        const dictionary = read(folder)
        for (const text of ['', 'a', ...asked, ...list]) {
          const below = list.filter((other) => other.startsWith(text))
          expect(dictionary.has(text)).toBe(list.includes(text))
          expect(dictionary.countStartingWith(text)).toBe(below.length)
          expect(dictionary.startingWith(text, limit)).toEqual(below.slice(0, limit))
        }
      }),
      { numRuns: 40 },
    )
  })

  test('changes no block but those of the words that come or go', () => {
    const folder = temporaryIndex()
    const list = Array.from({ length: 1000 }, (_, i) => `word${1000 + i}`)
    change(folder, list, [])
    const before = [...folder.databases.dictionary.range()]
    change(folder, ['word1500x'], [])
    const changed = [...folder.databases.dictionary.range()].filter(({ value }, i) => !value.equals(before[i]!.value))
    expect(changed.map(({ value }) => generationOf(value))).toEqual([folder.version()])
  })

  test('keeps blocks of long words inside a page', () => {
    const folder = temporaryIndex()
    const list = Array.from({ length: 100 }, (_, i) => `${i + 100}`.repeat(60)).sort(compareBytes)
    change(folder, list, [])
    for (const { key, value } of folder.databases.dictionary.range())
      expect(key.length + value.length).toBeLessThan(2030)
    expect(read(folder).size).toBe(100)
  })
})
