import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { temporaryFolder } from '../../store/temporary.fixture.js'

type Entry = Partial<Header> & { readonly name: string; readonly content?: string | Buffer }

/** A gzip-compressed tar archive with these entries, as bytes. */
export async function archiveBytes(
  entries: readonly Entry[],
  compress: (tar: Buffer) => Buffer = gzipSync,
): Promise<Buffer> {
  const tar = pack()
  for (const { content = '', ...header } of entries) tar.entry(header, content)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk)
  return compress(Buffer.concat(chunks))
}

/** The bytes as a file. */
export function fileWith(bytes: Uint8Array, name = 'some.dump'): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, bytes)
  return path
}

/** A dump with these members: texts, or values that become JSON. */
export async function dumpWith(members: Readonly<Record<string, unknown>>): Promise<string> {
  const entries = Object.entries(members).map(([name, value]) => ({
    name,
    content: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  return fileWith(await archiveBytes(entries))
}

/** One JSON value a line. */
export const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
