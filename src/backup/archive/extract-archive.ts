import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Extract, Header } from 'tar-stream'
import { BadArchive } from './bad-archive.js'
import { entryPath } from './entry-path.js'

export interface ExtractLimits {
  /** Of all files together. */
  readonly maxBytes: number
  readonly maxEntries: number
}

export interface Extraction {
  readonly path: string
  /** Filled, and made if it is not there. What is in it already must not have the names of entries. */
  readonly folder: string
  /** By default as many bytes as the disk has room for. */
  readonly limits?: Partial<ExtractLimits>
  /** Whether all files must be on disk in the end. */
  readonly isDurable?: boolean
  /** Bytes read of the archive, and how many it has. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void
}

/** More files than the largest queue of tasks with payloads has. */
const MAX_ENTRIES = 10_000_000

/**
 * Unpacks a gzip-compressed tar archive. Throws `BadArchive` when it is damaged, cut off, or holds anything but plain
 * files and folders below its root; what was unpacked before stays behind.
 */
export async function extractArchive(extraction: Extraction): Promise<void> {
  const { extract } = await import('tar-stream')
  const { size } = await stat(extraction.path)
  await mkdir(extraction.folder, { recursive: true })
  const files = new Unpacking(extraction, await limitsOf(extraction))
  const tar = extract()
  const bytes = createReadStream(extraction.path).pipe(counted(size, extraction.onProgress))
  const problems: unknown[] = []
  const note = (error: unknown): void => void problems.push(error)
  tar.on('error', note)
  const reading = pipeline(bytes, createGunzip(), (chunks: AsyncIterable<Buffer>) => feed(tar, chunks))
  // Whichever sees a problem first makes the others fail too.
  const read = reading.catch((error) => {
    note(error)
    tar.destroy(error)
  })
  await Promise.all([unpackAll(tar, files).catch(note), read])
  if (problems.length > 0) throw asBadArchive(problems)
}

async function feed(tar: Extract, chunks: AsyncIterable<Buffer>): Promise<void> {
  const closed = new Promise<void>((resolve) => tar.once('close', resolve))
  for await (const chunk of chunks) {
    if (tar.destroyed) return
    if (!tar.write(chunk)) await Promise.race([closed, new Promise<void>((resolve) => tar.once('drain', resolve))])
  }
  tar.end(undefined)
}

type TarEntry = AsyncIterable<unknown> & { readonly header: Header; resume(): void }

async function unpackAll(tar: Extract, files: Unpacking): Promise<void> {
  for await (const entry of tar) await files.take(entry as unknown as TarEntry)
}

async function limitsOf({ folder, limits }: Extraction): Promise<ExtractLimits> {
  const maxEntries = limits?.maxEntries ?? MAX_ENTRIES
  if (limits?.maxBytes !== undefined) return { maxEntries, maxBytes: limits.maxBytes }
  const { bavail, bsize } = await statfs(folder)
  return { maxEntries, maxBytes: bavail * bsize }
}

function counted(totalBytes: number, onProgress: Extraction['onProgress']): Transform {
  let doneBytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      doneBytes += chunk.length
      onProgress?.(doneBytes, totalBytes)
      done(null, chunk)
    },
  })
}

/** Writes the entries, and counts what they hold. */
class Unpacking {
  private bytes = 0
  private entries = 0

  constructor(
    private readonly to: Pick<Extraction, 'folder' | 'isDurable'>,
    private readonly limits: ExtractLimits,
  ) {}

  async take(entry: TarEntry): Promise<void> {
    const { name, size = 0, type } = entry.header
    this.count(name, size)
    const path = entryPath(name)
    if (path !== null && type === 'directory') await mkdir(join(this.to.folder, path), { recursive: true })
    if (type !== 'directory' && !isFile(type))
      throw new BadArchive(`${JSON.stringify(name)} is neither file nor folder`)
    if (path === null || type === 'directory') entry.resume()
    else await this.write(path, entry)
  }

  private count(name: string, size: number): void {
    const { maxBytes, maxEntries } = this.limits
    this.bytes += size
    if (++this.entries > maxEntries) throw new BadArchive(`it has more than ${maxEntries} files`)
    if (this.bytes > maxBytes) {
      throw new BadArchive(
        `with ${JSON.stringify(name)} it unpacks to more than the ${maxBytes} bytes there is room for`,
      )
    }
  }

  private async write(path: string, content: AsyncIterable<unknown>): Promise<void> {
    const target = join(this.to.folder, path)
    await mkdir(dirname(target), { recursive: true })
    const file = await openNew(target, path)
    try {
      for await (const chunk of content) await file.writeFile(chunk as Buffer)
      if (this.to.isDurable) await file.sync()
    } finally {
      await file.close()
    }
  }
}

async function openNew(target: string, path: string): Promise<FileHandle> {
  try {
    return await open(target, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new BadArchive(`${JSON.stringify(path)} is in it twice`, { cause: error })
  }
}

const isFile = (type: Header['type']): boolean => type === 'file' || type === 'contiguous-file'

const isSystemError = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined

/**
 * A refusal of ours, or a failing disk, says more than the ends of streams that follow from it; after these come what
 * zlib says, and the tar reader.
 */
function asBadArchive(problems: readonly unknown[]): unknown {
  const own = problems.find((error) => error instanceof BadArchive || isSystemError(error))
  if (own !== undefined) return own
  const codes = problems.map((error) => (error as NodeJS.ErrnoException).code)
  const isCutOff = problems.some((error) => (error as Error).message === 'Unexpected end of data')
  const cause = { cause: problems[0] }
  if (codes.includes('Z_BUF_ERROR') || isCutOff) return new BadArchive('it ends too early', cause)
  if (codes.some((code) => code?.startsWith('Z_'))) {
    return new BadArchive('it is not compressed with gzip, or damaged', cause)
  }
  return new BadArchive('it is not a tar archive, or damaged', cause)
}
