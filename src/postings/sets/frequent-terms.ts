import { ByteReader, ByteWriter, CorruptBytes } from '../../bytes/index.js'
import type { IndexFolder } from '../../folder/index.js'

/**
 * The words and the prefixes of which sets are kept, numbered, as an entry of `main`:
 *
 * ```
 * version(1) index version(varint) documents(varint) positions of a document(varint) has prefixes(1)
 * rarity of pairs(1) number of terms(varint), for each: rarity(1) is prefix(1) text
 * ```
 *
 * The versions and counts are those of the time when they were chosen: they stay until the index has grown or shrunk a lot.
 */
const KEY = Buffer.from('frequentTerms')
const VERSION = 1

export const isChoiceKey = (key: Uint8Array): boolean => KEY.equals(key)

export interface FrequentTerm {
  readonly text: string
  readonly isPrefix: boolean
  /** How often the documents that have it have to be halved: 0 for more than half of all, 1 for more than a quarter. */
  readonly rarity: number
}

/** When and for what terms were chosen. */
export interface ChoiceHead {
  /** Of the index. No two choices have the same. */
  readonly version: number
  readonly documentCount: number
  /** On average, rounded up. */
  readonly positionsPerDocument: number
  readonly hasPrefixes: boolean
  /** Of two terms together, at most, so that their pairs are kept. */
  readonly pairRarity: number
}

export interface TermChoice extends ChoiceHead {
  /** By number. */
  readonly terms: readonly FrequentTerm[]
}

/** Up to which rarity sets are kept. Fewer documents are looked at one by one in no time. */
export interface RarityLimits {
  readonly term: number
  /** Of a prefix of three bytes or more: there are very many, and each word has two. */
  readonly longPrefix: number
  /** Of both terms together: how rarely they meet if that happens by chance. */
  readonly pair: number
}

export const RARITY_LIMITS: RarityLimits = { term: 6, longPrefix: 3, pair: 5 }

export function rarityOf(docCount: number, documentCount: number): number {
  return Math.max(0, Math.ceil(Math.log2(documentCount / Math.max(1, docCount))) - 1)
}

export function writeChoice({ databases: { main } }: IndexFolder, choice: TermChoice): void {
  const writer = new ByteWriter(1 << 14)
  writer.byte(VERSION)
  writer.varint(choice.version)
  writer.varint(choice.documentCount)
  writer.varint(choice.positionsPerDocument)
  writer.byte(choice.hasPrefixes ? 1 : 0)
  writer.byte(choice.pairRarity)
  writer.varint(choice.terms.length)
  for (const { rarity, isPrefix, text } of choice.terms) {
    writer.byte(rarity)
    writer.byte(isPrefix ? 1 : 0)
    writer.text(text)
  }
  main.put(KEY, writer.take())
}

/** Undefined where no sets are kept. */
export function readChoiceHead(folder: IndexFolder): ChoiceHead | undefined {
  const bytes = folder.databases.main.getBorrowed(KEY)
  return bytes === undefined ? undefined : headOf(new ByteReader(bytes))
}

export function readChoice(folder: IndexFolder): TermChoice | undefined {
  const bytes = folder.databases.main.get(KEY)
  if (bytes === undefined) return undefined
  const reader = new ByteReader(bytes)
  const head = headOf(reader)
  const terms: FrequentTerm[] = []
  for (let left = reader.varint(); left > 0; left--) {
    terms.push({ rarity: reader.byte(), isPrefix: reader.byte() === 1, text: reader.text() })
  }
  return { ...head, terms }
}

function headOf(reader: ByteReader): ChoiceHead {
  const format = reader.byte()
  if (format !== VERSION) throw new CorruptBytes(`the frequent terms have version ${format}`)
  const version = reader.varint()
  const documentCount = reader.varint()
  const positionsPerDocument = reader.varint()
  const hasPrefixes = reader.byte() === 1
  return { version, documentCount, positionsPerDocument, hasPrefixes, pairRarity: reader.byte() }
}

export function hasSets({ databases: { main } }: IndexFolder): boolean {
  return main.has(KEY)
}

export function forgetChoice({ databases: { main } }: IndexFolder): void {
  main.delete(KEY)
}
