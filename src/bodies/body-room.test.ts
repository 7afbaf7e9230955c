import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { BodyPlace, BodyRoom } from './body-room.js'

test('large bodies share a room, and leave it at their end', () => {
  const room = new BodyRoom(1_000_000)
  const [first, second] = [new EventEmitter(), new EventEmitter()]
  const a = new BodyPlace(room, first)
  const b = new BodyPlace(room, second)
  expect([a.fits(400_000), a.fits(700_000), b.fits(400_000), b.fits(300_000)]).toEqual([true, true, false, true])
  first.emit('close')
  expect([b.fits(1_000_000), room.heldBytes]).toEqual([true, 1_000_000])
  second.emit('close')
  expect(room.heldBytes).toBe(0)
})

test('small bodies are always taken', () => {
  const room = new BodyRoom(0)
  expect(new BodyPlace(room, new EventEmitter()).fits(60_000)).toBe(true)
  expect(room.heldBytes).toBe(0)
})
