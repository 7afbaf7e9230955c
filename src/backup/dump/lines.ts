import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { JsonValue } from '../../json/index.js'
import { BadArchive } from '../archive/bad-archive.js'
import { Facts, parseMember } from './facts.js'

/** A member that is read as a whole, such as settings, is never as large as this. */
const MAX_MEMBER_BYTES = 1 << 28

const LINE_END = 0x0a

/** A file of the unpacked dump; `place` is its name in messages. */
export interface MemberFile {
  readonly path: string
  readonly place: string
}

export async function memberExists({ path }: MemberFile): Promise<boolean> {
  return (await sizeOf(path)) !== undefined
}

/** The bytes of a small member. */
export async function readMember({ path, place }: MemberFile): Promise<Buffer> {
  const size = await sizeOf(path)
  if (size === undefined) throw new BadArchive(`${place} is missing`)
  if (size > MAX_MEMBER_BYTES) throw new BadArchive(`${place} is too large`)
  return readFile(path)
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : undefined
  } catch {
    return undefined
  }
}

export async function readJson(file: MemberFile): Promise<JsonValue> {
  return parseMember(await readMember(file), file.place)
}

export async function readFacts(file: MemberFile): Promise<Facts> {
  return new Facts(await readJson(file), file.place)
}

/** The values of a file with one JSON value a line, each with its place. Holds one line at a time. */
export async function* readLines(file: MemberFile): AsyncGenerator<[value: JsonValue, place: string], void, void> {
  if (!(await memberExists(file))) throw new BadArchive(`${file.place} is missing`)
  let number = 0
  for await (const line of lines(file)) {
    number++
    if (line.length === 0) continue
    const place = `${file.place}, line ${number}`
    yield [parseMember(line, place), place]
  }
}

async function* lines({ path, place }: MemberFile): AsyncGenerator<Buffer, void, void> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      parts.push(chunk.subarray(start, end))
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts = []
      bytes = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > MAX_MEMBER_BYTES) throw new BadArchive(`${place} has a line that is too long`)
  }
  if (bytes > 0) yield Buffer.concat(parts)
}

/** Cuts a file at line ends into pieces of about the same size. */
export class FilePieces {
  private readonly chunks: AsyncIterator<Buffer>
  private rest: Buffer | undefined
  private isAtEnd = false

  constructor(
    path: string,
    private readonly pieceBytes: number,
  ) {
    const stream = createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** False when all pieces were read. Each has to be read to its end before this is asked. */
  async hasMore(): Promise<boolean> {
    if (this.rest === undefined && !this.isAtEnd) this.rest = await this.next()
    return this.rest !== undefined
  }

  async *piece(): AsyncGenerator<Buffer, void, void> {
    let bytes = 0
    while (await this.hasMore()) {
      const chunk = this.rest!
      this.rest = undefined
      bytes += chunk.length
      const cut = bytes < this.pieceBytes ? -1 : chunk.indexOf(LINE_END)
      if (cut !== -1) {
        if (cut + 1 < chunk.length) this.rest = chunk.subarray(cut + 1)
        yield chunk.subarray(0, cut + 1)
        return
      }
      yield chunk
    }
  }

  private async next(): Promise<Buffer | undefined> {
    const { value, done } = await this.chunks.next()
    this.isAtEnd = done === true
    return done ? undefined : value
  }
}
