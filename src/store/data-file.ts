import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { CorruptBytes } from '../bytes/index.js'
import { refersBeyond } from './page-references.js'

/** A part of a data file that decides where everything else is: LMDB has two of them, and writes them in turn. */
export interface MetaPage {
  readonly pageBytes: number
  /** First pages of the list of free pages and of the names of the databases; undefined where there is nothing. */
  readonly roots: readonly (bigint | undefined)[]
  readonly lastPage: bigint
  /** Grows with every transaction. */
  readonly transaction: bigint
}

/** Where LMDB has them, from the start of the page; numbers are little endian. */
const FLAGS = 18
const MAGIC = 24
const VERSION = 28
const PAGE_BYTES = 48
const ROOTS = [88, 136] as const
const LAST_PAGE = 144
const TRANSACTION = 152
const META_BYTES = 160

const META_FLAG = 0x08
const LMDB_MAGIC = 0xbeefc0de
const LMDB_VERSION = 2
const NO_PAGE = 2n ** 64n - 1n

/** Another process or thread may write while the file is looked at: what changed meanwhile is looked at again. */
const MAX_LOOKS = 5

/**
 * Throws `CorruptBytes` for a file that LMDB must not open: it trusts what it finds there, and a file that is no database
 * or whose end is missing ends the process. A file that is missing or empty may be new: LMDB fills it.
 * Not every damage is found: pages have no checksums.
 */
export function checkDataFile(path: string, { title, mayBeNew }: { title: string; mayBeNew: boolean }): void {
  const damaged = (what: string) => new CorruptBytes(`the data file of ${title} ${what}`)
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts !== undefined && !facts.isFile()) throw damaged('is no file')
  if (facts === undefined || facts.size === 0) {
    if (mayBeNew) return
    throw damaged('is missing or empty')
  }
  const file = openSync(path, 'r')
  try {
    const problem = problemOf(file)
    if (problem !== undefined) throw damaged(problem)
  } finally {
    closeSync(file)
  }
}

function problemOf(file: number): string | undefined {
  let seen: bigint | undefined
  for (let look = 0; ; look++) {
    const meta = newestMeta(file)
    const problem = meta === undefined ? 'is no database' : problemWith(file, meta)
    const isSettled = meta?.transaction === seen || look === MAX_LOOKS
    if (problem === undefined || (isSettled && look > 0)) return problem
    seen = meta?.transaction
  }
}

function newestMeta(file: number): MetaPage | undefined {
  const first = readMeta(file, 0)
  const second = first === undefined ? undefined : readMeta(file, first.pageBytes)
  if (first === undefined || second === undefined) return undefined
  return first.transaction >= second.transaction ? first : second
}

function readMeta(file: number, offset: number): MetaPage | undefined {
  const bytes = Buffer.alloc(META_BYTES)
  if (readSync(file, bytes, 0, META_BYTES, offset) < META_BYTES) return undefined
  const isMeta = (bytes.readUInt16LE(FLAGS) & META_FLAG) !== 0 && bytes.readUInt32LE(MAGIC) === LMDB_MAGIC
  const pageBytes = bytes.readUInt32LE(PAGE_BYTES)
  if (!isMeta || bytes.readUInt16LE(VERSION) !== LMDB_VERSION || !isPageSize(pageBytes)) return undefined
  return {
    pageBytes,
    roots: ROOTS.map((at) => bytes.readBigUInt64LE(at)).map((root) => (root === NO_PAGE ? undefined : root)),
    lastPage: bytes.readBigUInt64LE(LAST_PAGE),
    transaction: bytes.readBigUInt64LE(TRANSACTION),
  }
}

const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= 65536 && (bytes & (bytes - 1)) === 0

/** The size is asked for after the meta page was read: a file grows before its meta page says so. */
function problemWith(file: number, meta: MetaPage): string | undefined {
  const pageCount = Math.floor(fstatSync(file).size / meta.pageBytes)
  const roots = meta.roots.filter((root) => root !== undefined)
  if (roots.some((root) => root > meta.lastPage)) return 'is no database'
  // Free pages at the end need not be in the file, so that it may be shorter than it says.
  const isShort = meta.lastPage >= pageCount
  if (!isShort || !refersBeyond(file, { pageBytes: meta.pageBytes, pageCount, roots })) return undefined
  return 'has lost its end'
}
