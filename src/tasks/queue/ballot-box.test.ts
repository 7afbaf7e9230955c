import { expect, test } from 'vitest'
import { BallotBox, BallotStale } from './ballot-box.js'

const ballot = (id: string, after: number, registered = 0) => ({
  ...{ id, after, registered, kind: 'settings' as const, tasks: [1], batchUid: 1 },
  ...{ startedAt: '2026-01-05T10:00:00Z', strategy: '' },
})

const ask = (box: BallotBox, asked: ReturnType<typeof ballot>, controller = new AbortController()) => {
  const held = box.ask(asked, controller.signal, () => {})
  held.vote.catch(() => {})
  return { ...held, controller }
}

test('a batch waits until the server has come to its place, and is refused when it is beyond', async () => {
  const box = new BallotBox()
  const { vote } = ask(box, ballot('x', 5, 9))
  expect(box.take({ lastBatch: 4, lastRegistered: 9 })).toBeUndefined()
  expect(box.take({ lastBatch: 5, lastRegistered: 8 })).toBeUndefined()
  const taken = box.take({ lastBatch: 5, lastRegistered: 9 })
  taken!.resolve({ endings: [] })
  expect(await vote).toEqual({ endings: [] })
  const late = ask(box, ballot('y', 5))
  expect(box.take({ lastBatch: 6, lastRegistered: 9 })).toBeUndefined()
  await expect(late.vote).rejects.toThrow(BallotStale)
})

test('the newest counts', async () => {
  const box = new BallotBox()
  const first = ask(box, ballot('first', 1))
  ask(box, ballot('second', 1))
  await expect(first.vote).rejects.toThrow(BallotStale)
  expect(box.take({ lastBatch: 1, lastRegistered: 1 })?.ballot.id).toBe('second')
})

test('what was prepared is held until it is known what becomes of it, or another batch comes', async () => {
  const box = new BallotBox()
  let isKnown = false
  const held = box.hold(new AbortController().signal, () => isKnown)
  box.look()
  isKnown = true
  box.look()
  await held
  isKnown = false
  const next = box.hold(new AbortController().signal, () => isKnown)
  ask(box, ballot('x', 1))
  await next
})

test('whoever asked may be gone for a moment before the decision comes', async () => {
  const box = new BallotBox()
  const controller = new AbortController()
  let isKnown = false
  const held = box.hold(controller.signal, () => isKnown)
  controller.abort()
  box.look()
  let isOver = false
  void held.then(() => (isOver = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isOver).toBe(false)
  isKnown = true
  box.look()
  await held
})
