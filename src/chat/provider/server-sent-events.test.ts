import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProviderError } from './problem.js'
import { EventReader } from './server-sent-events.js'

async function read(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const reader = new EventReader()
  const events = chunks.flatMap((chunk) => reader.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  reader.end()
  return events
}

const messageOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: unknown) => error instanceof ProviderError && error.message,
  )

describe('events', () => {
  test('are the data between empty lines', async () => {
    expect(await read('data: a\n\ndata:b\n\n')).toEqual(['a', 'b'])
    expect(await read('data:  a \n\n')).toEqual([' a '])
    expect(await read('data: a\ndata: b\n\n')).toEqual(['a\nb'])
    expect(await read('data\n\n')).toEqual([''])
  })

  test('may have any end of line', async () => {
    expect(await read('data: a\r\n\r\ndata: b\r\rdata: c\n\n')).toEqual(['a', 'b', 'c'])
    expect(await read('data: a\r', '\n\r', '\ndata: b\n\n')).toEqual(['a', 'b'])
  })

  test('are not made of other fields, of comments, or of nothing', async () => {
    expect(await read(': ping\n\nevent: x\n\nid: 1\nretry: 5\ndatum: a\n\n\n\n')).toEqual([])
  })

  test('that are not finished do not count', async () => {
    expect(await read('data: a\n\ndata: b\n')).toEqual(['a'])
  })

  test('begin after a mark of the byte order', async () => {
    expect(await read('\ufeffdata: a\n\n')).toEqual(['a'])
  })

  test('do not depend on where the bytes were cut', async () => {
    const line = fc.constantFrom('data: x', 'data:', 'data: 漢🦉é', ': c', 'event: e', '', 'data')
    const end = fc.constantFrom('\n', '\r', '\r\n')
    const text = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(200), { maxLength: 20 }), async (whole, cuts) => {
        const bytes = Buffer.from(whole)
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
        const cut = places.slice(1).map((place, i) => bytes.subarray(places[i]!, place))
        expect(await read(...cut)).toEqual(plainly(whole))
      }),
    )
  })
})

/** What the text says when it is there as a whole. */
function plainly(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n').slice(0, -1)
  const events: string[] = []
  let data: string[] = []
  for (const line of lines) {
    if (line === '' && data.length > 0) events.push(data.join('\n'))
    if (line === '') data = []
    if (line === 'data') data.push('')
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  return events
}

describe('a stream is refused', () => {
  test('when it is not UTF-8, or ends inside a character', async () => {
    expect(await messageOf(read(Buffer.of(0xff, 0x0a)))).toContain('not UTF-8')
    expect(await messageOf(read('data: a\n\n', Buffer.of(0xc3)))).toContain('not UTF-8')
  })

  test('when an event has no end, in one line or in many', async () => {
    const mega = 'a'.repeat(1 << 20)
    expect(await messageOf(read('data: ', ...Array(5).fill(mega)))).toContain('an event of more than')
    expect(await messageOf(read(...Array(5).fill(`data: ${mega}\n`)))).toContain('an event of more than')
    expect(await messageOf(read(...Array(5).fill(`data: ${mega}\n\n`)))).toBeUndefined()
  })
})
