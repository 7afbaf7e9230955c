import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { BadArchive } from './bad-archive.js'
import { entryPath } from './entry-path.js'
import { type ExtractLimits, extractArchive } from './extract-archive.js'
import { archiveBytes, fileWith } from './tar.fixture.js'

async function extracted(bytes: Uint8Array, limits: Partial<ExtractLimits> = {}): Promise<string> {
  const folder = temporaryFolder()
  await extractArchive({ path: fileWith(bytes), folder, limits })
  return folder
}

const refusal = (bytes: Uint8Array, limits?: Partial<ExtractLimits>) =>
  extracted(bytes, limits).then(
    () => 'accepted',
    (error) => (error instanceof BadArchive ? error.message : `surprise: ${error}`),
  )

test('files and folders are unpacked, with and without a leading dot', async () => {
  const folder = await extracted(
    await archiveBytes([
      { name: './', type: 'directory' },
      { name: './a.json', content: '{}' },
      { name: 'deep/er/b.txt', content: 'b' },
      { name: 'empty', type: 'directory' },
    ]),
  )
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('{}')
  expect(readFileSync(join(folder, 'deep/er/b.txt'), 'utf8')).toBe('b')
  expect(statSync(join(folder, 'empty')).isDirectory()).toBe(true)
})

test('what macOS adds beside files is left out', async () => {
  const folder = await extracted(
    await archiveBytes([
      { name: './._.', content: 'x' },
      { name: 'a/._b', content: 'x' },
      { name: 'a/b', content: 'b' },
    ]),
  )
  expect(readdirSync(folder)).toEqual(['a'])
  expect(readdirSync(join(folder, 'a'))).toEqual(['b'])
})

test.each(['../outside', 'a/../../outside', '/etc/outside', './../outside', 'a\\..\\outside', '..'])(
  'the name %j is refused',
  async (name) => {
    expect(await refusal(await archiveBytes([{ name, content: 'x' }]))).toMatch(/name/)
  },
)

test('no name leads out of the folder', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('..', '.', '', 'a', '/', '\\', 'b/', '._x'), { maxLength: 8 }), (parts) => {
      const safe = (): string | null => {
        try {
          return entryPath(parts.join('/'))
        } catch {
          return null
        }
      }
      const path = safe()
      expect(path === null || join('/folder', path).startsWith('/folder/')).toBe(true)
    }),
  )
})

test.each([
  { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
  { name: 'link', type: 'symlink', linkname: 'inside' },
  { name: 'link', type: 'link', linkname: '../outside' },
  { name: 'device', type: 'character-device', devmajor: 1, devminor: 5 },
  { name: 'pipe', type: 'fifo' },
] as const)('a $type is refused', async (entry) => {
  expect(await refusal(await archiveBytes([entry]))).toMatch(/neither file nor folder/)
})

test('a file that comes twice is refused', async () => {
  const twice = [
    { name: 'a', content: '1' },
    { name: './a', content: '2' },
  ]
  expect(await refusal(await archiveBytes(twice))).toMatch(/twice/)
})

test('an archive that is cut off anywhere is refused', async () => {
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251))
  const whole = await archiveBytes([
    { name: 'a', content },
    { name: 'b', content },
  ])
  for (let part = 1; part <= 50; part++) {
    expect(await refusal(whole.subarray(0, Math.floor((whole.length * part) / 51)))).toMatch(/too early/)
  }
  expect(await refusal(whole.subarray(0, whole.length - 4))).toMatch(/too early/)
})

test('a tar archive that is cut off inside a whole gzip file is refused', async () => {
  const cut = await archiveBytes([{ name: 'a', content: 'x'.repeat(5000) }], (tar) => gzipSync(tar.subarray(0, 2000)))
  expect(await refusal(cut)).toMatch(/too early/)
})

test('what is no archive is refused', async () => {
  expect(await refusal(Buffer.from('no archive at all'))).toMatch(/gzip/)
  expect(await refusal(gzipSync(Buffer.alloc(4096, 'garbage ')))).toMatch(/tar/)
  const damaged = await archiveBytes([{ name: 'a', content: 'x'.repeat(5000) }])
  damaged[40]! ^= 0xff
  expect(await refusal(damaged)).not.toBe('accepted')
})

test('a small archive that unpacks to more than there is room for is refused before it is written', async () => {
  const bomb = await archiveBytes([{ name: 'zeros', content: Buffer.alloc(64 << 20) }])
  expect(bomb.length).toBeLessThan(1 << 20)
  const folder = temporaryFolder()
  await expect(extractArchive({ path: fileWith(bomb), folder, limits: { maxBytes: 1 << 20 } })).rejects.toThrow(/room/)
  expect(existsSync(join(folder, 'zeros'))).toBe(false)
})

test('an archive of countless files is refused', async () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ name: `f${i}` }))
  expect(await refusal(await archiveBytes(many), { maxEntries: 19 })).toMatch(/more than 19 files/)
})

test('a header that claims to be gigabytes long is refused without holding it', async () => {
  const [header] = await tarBlocks({ name: 'long', type: 'file', size: 1 << 30 })
  // A header of the kind that holds a long name, in the place of a file.
  header!.write('L', 156)
  header!.fill(' ', 148, 156)
  const sum = header!.reduce((total, byte) => total + byte, 0)
  header!.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const bytes = gzipSync(Buffer.concat([header!, Buffer.alloc(32 << 20, 'a')]))
  expect(await refusal(bytes)).toMatch(/damaged/)
})

/** The blocks of an archive whose entry claims a size that it does not have. */
async function tarBlocks(entry: { name: string; type: 'file'; size: number }): Promise<Buffer[]> {
  const { pack } = await import('tar-stream')
  const tar = pack()
  tar.entry(entry)
  const [first] = await new Promise<Buffer[]>((resolve) => tar.once('data', (chunk) => resolve([chunk as Buffer])))
  tar.destroy()
  return [Buffer.from(first!.subarray(0, 512))]
}
