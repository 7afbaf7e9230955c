import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallPiece } from '../provider/chunk.js'
import { PendingCalls } from './tool-calls.js'
import { SEARCH_TOOL } from './tools.js'

const first = (index: number, id: string | null, text = '', name: string | null = SEARCH_TOOL): CallPiece => ({
  index,
  id,
  name,
  arguments: text,
})
const more = (index: number, text: string): CallPiece => ({ index, id: null, name: null, arguments: text })

function gathered(...chunks: CallPiece[][]) {
  const pending = new PendingCalls()
  for (const pieces of chunks) pending.add(pieces)
  return pending.take()
}

test('pieces of a call are put together by its number, however they come', () => {
  const texts = fc.array(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(texts, fc.infiniteStream(fc.nat()), (parts, choices) => {
      const left = parts.map((pieces, index) => [
        first(index, `id${index}`),
        ...pieces.map((text) => more(index, text)),
      ])
      const chunks: CallPiece[][] = []
      while (left.some((pieces) => pieces.length > 0)) {
        const open = left.filter((pieces) => pieces.length > 0)
        chunks.push([open[choices.next().value % open.length]!.shift()!])
      }
      expect(gathered(...chunks)).toEqual(parts.map((pieces, i) => ({ id: `id${i}`, argumentsText: pieces.join('') })))
    }),
  )
})

test('calls of the same number are told apart by their ids', () => {
  const calls = gathered([first(0, 'a', '1')], [first(0, 'b', '2')], [more(0, '3')])
  expect(calls).toEqual([
    { id: 'a', argumentsText: '1' },
    { id: 'b', argumentsText: '23' },
  ])
})

test('an id that comes again, or late, is the same call', () => {
  expect(gathered([first(0, 'a', '1')], [first(0, 'a', '2')])).toEqual([{ id: 'a', argumentsText: '12' }])
  expect(gathered([first(0, null, '1')], [first(0, 'a', '2')])).toEqual([{ id: 'a', argumentsText: '12' }])
})

test('a call without an id gets one', () => {
  expect(gathered([first(0, null)])[0]!.id).toMatch(/^[0-9a-f-]{36}$/)
})

test('other functions are passed over', () => {
  expect(gathered([first(0, 'a', '{}', 'f'), first(1, 'b', '{}')])).toEqual([{ id: 'b', argumentsText: '{}' }])
})

test('there is an end to the length of arguments', () => {
  const pending = new PendingCalls()
  pending.add([first(0, 'a')])
  const piece = more(0, 'a'.repeat(1 << 19))
  pending.add([piece, piece])
  expect(() => pending.add([more(0, 'a')])).toThrow(/more than/)
})
