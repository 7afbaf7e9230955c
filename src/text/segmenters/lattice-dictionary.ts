import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * A MeCab dictionary in the files of kuromoji, without the parts of speech. All numbers are little-endian.
 *
 *     base, check   int32: double-array trie over the UTF-8 bytes of the words; a word ends in a child by byte 0, whose
 *                   base is -(word number) - 1
 *     tid           entries of 10 bytes: left id, right id, cost (int16 each), then the place of the parts of speech
 *     tid_map       int32: count of words, then for each word its number, how many entries, their places in `tid`
 *     cc            int16: two dimensions, then the cost of each right id (row) followed by each left id (column)
 *     unk, unk_map  as `tid` and `tid_map`, for unknown words; the word number is a character class
 *     unk_char      the class of each character of the basic plane
 *     unk_invoke    for each class: always tried?, grouped? (bytes), maximum length (int32), name up to a zero byte
 */
export interface LatticeDictionary {
  readonly base: Int32Array
  readonly check: Int32Array
  readonly known: Entries
  readonly unknown: Entries
  readonly connections: Int16Array
  readonly connectionColumns: number
  readonly classOfUnit: Uint8Array
  readonly classes: readonly CharacterClass[]
  readonly defaultClass: number
}

/**
 * Dictionary entries. What is known of a word begins at `records[word]` of `map`, which is 0 when nothing is: the word, how
 * many entries it has, and where in the file of entries they begin. That file is `shorts`.
 */
export interface Entries {
  readonly records: Int32Array
  readonly map: Int32Array
  readonly shorts: Int16Array
}

export interface CharacterClass {
  /** Unknown words of this class are tried even where the dictionary knows one. */
  readonly isAlwaysTried: boolean
  /** All neighbours of the class together are tried as one word. */
  readonly isGrouped: boolean
  /** Words of up to this many characters are tried, besides the group. */
  readonly maxLength: number
}

export function readLatticeDictionary(folder: string): LatticeDictionary {
  if (endianness() !== 'LE') throw new Error('Word dictionaries are little-endian, this machine is not.')
  const read = (name: string) => unpack(join(folder, `${name}.dat.gz`))
  const connections = int16s(read('cc'))
  const { classes, defaultClass } = readClasses(Buffer.from(read('unk_invoke')))
  return {
    ...readTrie(int32s(read('base')), int32s(read('check'))),
    known: readEntries(read('tid'), read('tid_map')),
    unknown: readEntries(read('unk'), read('unk_map')),
    connections: connections.subarray(2),
    connectionColumns: connections[1]!,
    classOfUnit: read('unk_char'),
    classes,
    defaultClass,
  }
}

/** Behind the last state that is used there is only room for more: without it nothing is found there either. */
function readTrie(base: Int32Array, check: Int32Array): Pick<LatticeDictionary, 'base' | 'check'> {
  const end = check.findLastIndex((parent) => parent >= 0) + 1
  const isRoomy = (check.length - end) * Int32Array.BYTES_PER_ELEMENT > LARGE_PADDING
  return isRoomy ? { base: base.slice(0, end), check: check.slice(0, end) } : { base, check }
}

/** Least size of a chunk for zlib. */
const MIN_CHUNK_BYTES = 64

/** The files unpack to some megabytes each: one chunk of the right size spares copying them. */
function unpack(file: string): Unpacked {
  const packed = readFileSync(file)
  // The last four bytes say how many there are unpacked. With room for one more, zlib sees that it is done.
  const chunkSize = Math.max(packed.readUInt32LE(packed.length - 4) + 1, MIN_CHUNK_BYTES)
  const bytes = withoutPadding(gunzipSync(packed, { chunkSize }))
  // Small ones may lie where not every typed array may start.
  return bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
}

/** Zeros at the end that may belong to the last entry, or word; what comes after them is padding. */
const LAST_ZEROS = 16

/** Some files are padded with zeros to many times what they hold: 18 MB in the Japanese dictionary. */
function withoutPadding(bytes: Unpacked): Unpacked {
  const end = Math.min(endOfContent(bytes) + LAST_ZEROS, bytes.length) & ~3
  return bytes.length - end > LARGE_PADDING ? new Uint8Array(bytes.subarray(0, end)) : bytes
}

/** Less of it is not worth a copy. */
const LARGE_PADDING = 1 << 19

function endOfContent(bytes: Unpacked): number {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return end
}

type Unpacked = Uint8Array<ArrayBufferLike>

function int32s({ buffer, byteOffset, byteLength }: Unpacked): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength >> 2)
}

function int16s({ buffer, byteOffset, byteLength }: Unpacked): Int16Array {
  return new Int16Array(buffer, byteOffset, byteLength >> 1)
}

function readEntries(entries: Unpacked, packedMap: Unpacked): Entries {
  const map = int32s(packedMap)
  let records = new Int32Array(map[0]! + 1)
  for (let left = map[0]!, at = 1; left > 0; left--, at += 2 + map[at + 1]!) {
    const word = map[at]!
    if (word >= records.length) records = grown(records, word + 1)
    records[word] = at
  }
  return { records, map, shorts: int16s(entries) }
}

function grown(records: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(needed, records.length * 2))
  larger.set(records)
  return larger
}

function readClasses(bytes: Buffer): { classes: CharacterClass[]; defaultClass: number } {
  const classes: CharacterClass[] = []
  let defaultClass = 0
  // The file may be padded with zeros: a class without a name is none.
  for (let i = 0; i + 6 < bytes.length; ) {
    const nameEnd = bytes.indexOf(0, i + 6)
    const name = bytes.toString('utf8', i + 6, nameEnd)
    if (name === '') break
    if (name === 'DEFAULT') defaultClass = classes.length
    classes.push({ isAlwaysTried: bytes[i] === 1, isGrouped: bytes[i + 1] === 1, maxLength: bytes.readInt32LE(i + 2) })
    i = nameEnd + 1
  }
  return { classes, defaultClass }
}
