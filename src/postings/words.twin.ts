import { expect } from 'vitest'
import { sortedUnique } from '../byte-order/index.js'
import type { DocId, FieldRegistry, StoredDocument } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { compileFieldRoles, type Settings } from '../settings/index.js'
import { wordNumbering } from '../text/index.js'
import { BlockReader } from './block-reader.js'
import { DocumentWords } from './document-words.js'
import { MergedPostings } from './merged-postings.js'
import type { WordIndex } from './model.js'
import { boundOf, prefixEnd } from './posting-key.js'
import { toPlain } from './postings.fixture.js'
import { hasPrefixPostings, isShortPrefix } from './prefixes/short-prefix.js'
import { ReadingMemory } from './reading-memory.js'
import { documentAnalyzer, WordRules } from './word-rules.js'

/**
 * All that is known of the words of an index, plainly: lines such as `fox in 3 at 1,65536` and `3 has 2 in 0`, for every
 * word and document, and every document and field. Lines compare much faster than maps of maps.
 */
type PlainWords = ReadonlySet<string>

/** What an index holds. */
export interface Contents {
  readonly registry: FieldRegistry
  readonly documents: ReadonlyMap<number, StoredDocument>
}

export function contentsOf(folder: IndexFolder): Contents {
  const documents = Array.from(folder.docIds(), (docId) => [docId, folder.document(docId as DocId)!] as const)
  return { registry: folder.fields(), documents: new Map(documents) }
}

/** Reads every document anew. */
function wordsFromScratch({ registry, documents }: Contents, settings: Settings): PlainWords {
  const rules = new WordRules(registry, compileFieldRoles(settings), documentAnalyzer(settings))
  const names: string[] = []
  const words = new DocumentWords(
    rules,
    wordNumbering((word) => names.push(word) - 1),
  )
  const lines = new Set<string>()
  for (const [docId, document] of documents) {
    words.read(document, { hasRoot: () => true, hasField: () => true, hasFields: true })
    const positions = new Map<string, number[]>()
    for (let i = 0; i < words.count; i++) {
      const word = names[words.words[i]!]!
      positions.set(word, [...(positions.get(word) ?? []), words.positions[i]!])
    }
    for (const [word, at] of positions) lines.add(positionsLine(word, docId, at))
    for (const fieldId of words.fields.touched) {
      const count = words.fields.wordCount(fieldId)
      if (count > 0) lines.add(countLine(docId, fieldId, Math.min(count, 31)))
    }
  }
  return lines
}

const positionsLine = (word: string, docId: number, positions: readonly number[]) =>
  `${word} in ${docId} at ${positions}`
const countLine = (docId: number, fieldId: number, count: number) => `${docId} has ${count} in ${fieldId}`

/** Reads all that an index says of its words. */
function allWords(index: WordIndex, { registry, documents }: Contents): PlainWords {
  const lines = new Set<string>()
  for (const word of index.dictionary.startingWith('', 1_000_000)) {
    for (const [docId, positions] of toPlain(index.postings(word))) lines.add(positionsLine(word, docId, positions))
  }
  // Documents that were removed must not be counted any more.
  for (let docId = 0; docId <= Math.max(60, ...documents.keys()); docId++) {
    for (const fieldId of registry.all().keys()) {
      const count = index.wordCount(docId, fieldId)
      if (count > 0) lines.add(countLine(docId, fieldId, count))
    }
  }
  return lines
}

/** No word is missing, none is too much, and none is stored that the dictionary does not list. */
export function expectSameWords(folder: IndexFolder, index: WordIndex, contents: Contents, settings: Settings): void {
  const expected = wordsFromScratch(contents, settings)
  expectSamePrefixes(folder, index)
  expect([...allWords(index, contents)].sort()).toEqual([...expected].sort())
  const listed = index.dictionary.startingWith('', 1_000_000)
  expect(listed).toEqual(sortedUnique(listed))
  const stored = new Set(Array.from(folder.databases.postings.keys(), (key) => key.toString('utf8', 0, key.length - 5)))
  expect(sortedUnique(stored)).toEqual(listed)
}

/** What is kept of short prefixes is what their words say, and no other prefix is kept. */
function expectSamePrefixes(folder: IndexFolder, index: WordIndex): void {
  const stored = Array.from(folder.databases.prefixes.keys(), (key) => key.toString('utf8', 0, key.length - 5))
  if (!hasPrefixPostings(folder)) {
    expect(stored).toEqual([])
    return
  }
  const words = index.dictionary.startingWith('', 1_000_000)
  const prefixes = new Set(words.flatMap((word) => [[...word].slice(0, 1).join(''), [...word].slice(0, 2).join('')]))
  const short = [...prefixes].filter((prefix) => isShortPrefix(Buffer.from(prefix)))
  expect(sortedUnique(stored)).toEqual(sortedUnique(short))
  const memory = new ReadingMemory()
  for (const prefix of short) {
    const blocks = Array.from(
      folder.databases.postings.range({ start: Buffer.from(prefix), end: prefixEnd(Buffer.from(prefix))! }),
      ({ key, value }) => new BlockReader(boundOf(key), value),
    )
    expect(toPlain(index.prefixPostings(prefix).postings), prefix).toEqual(toPlain(new MergedPostings(blocks, memory)))
  }
}
