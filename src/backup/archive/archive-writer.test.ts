import { createWriteStream, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { ArchiveWriter } from './archive-writer.js'
import { extractArchive } from './extract-archive.js'

const open = (target: Writable, folder: string) =>
  new ArchiveWriter({ target, spoolPath: join(folder, 'spool'), level: 1, modified: new Date(0) })

/** Chunks that nobody can compress, each different. */
function* noise(chunks: number): Generator<Buffer> {
  let state = 1
  for (let chunk = 0; chunk < chunks; chunk++) {
    const bytes = Buffer.alloc(1 << 18)
    for (let i = 0; i < bytes.length; i += 4) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      bytes.writeUInt32LE(state, i)
    }
    yield bytes
  }
}

test('members of every size and kind are read back as they were written', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'archive')
  writeFileSync(join(folder, 'source'), 'content of a file')
  writeFileSync(join(folder, 'nothing'), '')
  const archive = open(createWriteStream(path), folder)
  await archive.folder('empty')
  await archive.text('a/b.txt', 'größe')
  await archive.file('file', join(folder, 'source'))
  await archive.file('no-content', join(folder, 'nothing'))
  await archive.chunks('none', [])
  // More than waits in memory.
  await archive.chunks('large', noise(20))
  await archive.text('last', '')
  await archive.finish()
  const target = temporaryFolder()
  await extractArchive({ path, folder: target })
  const read = (name: string) => readFileSync(join(target, name))
  expect(readdirSync(target).sort()).toEqual(['a', 'empty', 'file', 'large', 'last', 'no-content', 'none'])
  expect(read('a/b.txt').toString()).toBe('größe')
  expect(read('file').toString()).toBe('content of a file')
  expect(read('large').equals(Buffer.concat([...noise(20)]))).toBe(true)
  expect(readdirSync(folder)).not.toContain('spool')
})

/** A disk that is full after so many bytes. */
function fullAfter(limit: number): Writable {
  let written = 0
  return new Writable({
    write(chunk: Buffer, _, done) {
      written += chunk.length
      done(written > limit ? Object.assign(new Error('full'), { code: 'ENOSPC' }) : null)
    },
  })
}

test('a target that fails is the reason of the failure, and leaves no spooled file', async () => {
  const folder = temporaryFolder()
  const archive = open(fullAfter(100_000), folder)
  await expect(archive.chunks('large', noise(30))).rejects.toMatchObject({ code: 'ENOSPC' })
  await expect(archive.text('next', 'x')).rejects.toThrow()
  await archive.abandon()
  expect(readdirSync(folder)).toEqual([])
})

test('a member whose content fails does not end the archive as if it were whole', async () => {
  const folder = temporaryFolder()
  const archive = open(createWriteStream(join(folder, 'archive')), folder)
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('x')
    throw new Error('cannot be read')
  }
  await expect(archive.chunks('a', failing())).rejects.toThrow('cannot be read')
  await archive.abandon()
  await expect(extractArchive({ path: join(folder, 'archive'), folder: join(folder, 'out') })).rejects.toThrow()
})
