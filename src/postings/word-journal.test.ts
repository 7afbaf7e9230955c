import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import {
  type ChangedWords,
  decodeEntry,
  encodeEntry,
  JournalEntry,
  KEPT_VERSIONS,
  readJournal,
  writeJournal,
} from './word-journal.js'

/** Words that begin with a plus came or went. */
function listed(...words: string[]): ChangedWords {
  const entry = new JournalEntry()
  for (const word of words) entry.add(word.replace('+', ''), word.startsWith('+'))
  return entry.words
}

function write(folder: IndexFolder, ...words: string[]): void {
  folder.write(() => writeJournal(folder.databases.wordJournal, folder.nextContentVersion(), listed(...words)))
}

const read = (folder: IndexFolder, from: number) => readJournal(folder.databases.wordJournal, from, folder.version())

test('an entry gives back its words', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.uniqueArray(word), fc.nat(5), (words, renewed) => {
      const lists = { changed: new Set(words), renewed: new Set(words.slice(0, renewed)) }
      expect(decodeEntry(encodeEntry(lists))).toEqual(lists)
    }),
  )
  expect(decodeEntry(encodeEntry('everything'))).toBe('everything')
  expect(() => decodeEntry(Buffer.of(9, 0))).toThrow('the journal of words has version 9')
})

test('a reader learns of the words of all versions behind its own', () => {
  const folder = temporaryIndex()
  write(folder, 'a')
  const known = folder.version()
  write(folder, 'b', 'c')
  write(folder)
  write(folder, 'c', '+ü')
  expect(read(folder, known)).toEqual(listed('b', 'c', '+ü'))
  expect(read(folder, folder.version())).toEqual(listed())
})

test('one version may be told in parts', () => {
  const folder = temporaryIndex()
  folder.write(() => {
    writeJournal(folder.databases.wordJournal, folder.nextContentVersion(), listed('a'))
    writeJournal(folder.databases.wordJournal, folder.nextContentVersion(), listed('+b'))
  })
  expect(read(folder, 0)).toEqual(listed('a', '+b'))
  folder.write(() => writeJournal(folder.databases.wordJournal, folder.version(), 'everything'))
  expect(read(folder, 0)).toBe('everything')
})

test('a reader that is far behind has to forget everything', () => {
  const folder = temporaryIndex()
  for (let i = 0; i < KEPT_VERSIONS + 10; i++) write(folder, `w${i}`)
  expect(folder.databases.wordJournal.count()).toBe(KEPT_VERSIONS)
  const last = folder.version()
  expect(read(folder, last - KEPT_VERSIONS)).toHaveProperty('changed.size', KEPT_VERSIONS)
  expect(read(folder, last - KEPT_VERSIONS - 1)).toBe('everything')
})

test('too many words are everything', () => {
  const entry = new JournalEntry()
  for (let i = 0; i < 20_000; i++) entry.add(`w${i}`, false)
  expect(entry.words).toHaveProperty('changed.size', 20_000)
  entry.add('one more', true)
  entry.add('and another', true)
  expect(entry.words).toBe('everything')
})
