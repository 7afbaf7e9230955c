import { readSync } from 'node:fs'

export interface PagesOfFile {
  readonly pageBytes: number
  /** Whole pages of the file. */
  readonly pageCount: number
  /** Pages from which all others are reached. */
  readonly roots: readonly bigint[]
}

/** Some 80 MB, read in a fraction of a second: beyond that the file is believed. */
const MAX_PAGES_READ = 20_000

/** Parts of a page of LMDB: numbers are little endian. */
const FLAGS = 18
const END_OF_POINTERS = 20
const POINTERS = 24
const BRANCH_FLAG = 0x01
const LEAF_FLAG = 0x02

/** Parts of an entry: two halves of the size of a value, or three parts of the number of a page. */
const ENTRY_FLAGS = 4
const KEY_BYTES = 6
const ENTRY_HEAD = 8
const ON_PAGES_OF_ITS_OWN = 0x01
const IS_DATABASE = 0x02
/** In the value of an entry whose value has pages of its own, and in that of one that describes a database. */
const OWN_PAGE_COUNT = 16
const DATABASE_ROOT = 40
const NO_PAGE = 2n ** 64n - 1n

/**
 * Whether some page in use refers to one that the file has not, or is none itself. Pages are read level by level, since
 * those at the top lead to the most others.
 */
export function refersBeyond(file: number, { pageBytes, pageCount, roots }: PagesOfFile): boolean {
  const page = Buffer.alloc(pageBytes)
  let level = roots
  let read = 0
  while (level.length > 0) {
    const below: bigint[] = []
    for (const number of level) {
      if (number >= pageCount) return true
      if (read++ === MAX_PAGES_READ) return false
      readSync(file, page, 0, pageBytes, Number(number) * pageBytes)
      const found = referencesOf(page)
      if (found === undefined || found.lastValuePage >= pageCount) return true
      for (const reference of found.pages) below.push(reference)
    }
    level = below
  }
  return false
}

interface References {
  readonly pages: readonly bigint[]
  /** The last page that holds a part of a large value. */
  readonly lastValuePage: bigint
}

/** Undefined when it is no page with entries. */
function referencesOf(page: Buffer): References | undefined {
  try {
    return readReferences(page)
  } catch (error) {
    // Something should be behind the end of the page.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readReferences(page: Buffer): References | undefined {
  const flags = page.readUInt16LE(FLAGS)
  if ((flags & (BRANCH_FLAG | LEAF_FLAG)) === 0) return undefined
  const pages: bigint[] = []
  let lastValuePage = 0n
  for (let at = POINTERS; at < page.readUInt16LE(END_OF_POINTERS); at += 2) {
    const entry = page.subarray(page.readUInt16LE(at))
    if (flags & BRANCH_FLAG) pages.push(BigInt(entry.readUIntLE(0, 6)))
    else {
      const found = referenceOf(entry)
      if (found === undefined) continue
      if ('root' in found) pages.push(found.root)
      else if (found.lastPage > lastValuePage) lastValuePage = found.lastPage
    }
  }
  return { pages, lastValuePage }
}

/** Where the rest of an entry is, if it is elsewhere. */
function referenceOf(entry: Buffer): { root: bigint } | { lastPage: bigint } | undefined {
  const flags = entry.readUInt16LE(ENTRY_FLAGS)
  const value = entry.subarray(ENTRY_HEAD + entry.readUInt16LE(KEY_BYTES))
  if (flags & IS_DATABASE) {
    const root = value.readBigUInt64LE(DATABASE_ROOT)
    return root === NO_PAGE ? undefined : { root }
  }
  if (!(flags & ON_PAGES_OF_ITS_OWN)) return undefined
  return { lastPage: value.readBigUInt64LE(0) + value.readBigUInt64LE(OWN_PAGE_COUNT) - 1n }
}
