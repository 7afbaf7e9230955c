import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { extract, type Header } from 'tar-stream'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { TAR_END, tarHeader, tarPadding } from './tar-header.js'

const modified = new Date('2026-01-05T10:15:30Z')

/** What a reader makes of the headers of members without content. */
async function read(tar: Buffer): Promise<Header[]> {
  const reader = extract()
  reader.end(tar)
  const headers: Header[] = []
  for await (const entry of reader) {
    headers.push((entry as unknown as { header: Header }).header)
    entry.resume()
  }
  return headers
}

const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }).filter((text) => !/[/\0]/.test(text))
const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))

test('names of every length and script are read back', async () => {
  await fc.assert(
    fc.asyncProperty(name, async (name) => {
      const tar = [tarHeader({ name, kind: 'file', sizeBytes: 0, modified }), TAR_END]
      const [header] = await read(Buffer.concat(tar))
      expect(header).toMatchObject({ name, size: 0, type: 'file', mtime: modified })
    }),
  )
})

test('sizes beyond eleven octal digits are read back', async () => {
  const sizeBytes = 8 ** 11 + 5
  const header = tarHeader({ name: 'large', kind: 'file', sizeBytes, modified })
  const reader = extract()
  const found = new Promise<Header>((resolve) => reader.once('entry', resolve))
  reader.write(header)
  expect(await found).toMatchObject({ name: 'large', size: sizeBytes })
  reader.destroy()
})

test('tar itself reads what was written', () => {
  const content = Buffer.from('content')
  const long = `${'long/'.repeat(40)}name`
  const tar = [
    tarHeader({ name: 'folder', kind: 'folder', sizeBytes: 0, modified }),
    tarHeader({ name: long, kind: 'file', sizeBytes: content.length, modified }),
    content,
    tarPadding(content.length),
    TAR_END,
  ]
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'some.tar'), Buffer.concat(tar))
  expect(execFileSync('tar', ['tf', 'some.tar'], { cwd: folder }).toString()).toBe(`folder/\n${long}\n`)
  expect(execFileSync('tar', ['xOf', 'some.tar', long], { cwd: folder }).toString()).toBe('content')
})
