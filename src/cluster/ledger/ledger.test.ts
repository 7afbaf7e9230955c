import { expect, test } from 'vitest'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import type { BatchRecord } from '../records/record.js'
import { Ledger } from './ledger.js'

function openLedger() {
  const environment = temporaryEnvironment()
  const ledger = new Ledger(environment)
  const write = (work: () => void) => environment.writeSync(work)
  return { ledger, write }
}

const blob = (id: string) => ({ id, sha256: 'x', sizeBytes: 1 })
const batch = (id: string) =>
  ({ kind: 'batch', decision: { id }, chain: { sequence: 0, hash: '' } }) as unknown as BatchRecord

test('a new ledger has read nothing', () => {
  const { ledger } = openLedger()
  expect(ledger.link).toEqual({ sequence: 0, hash: '' })
  expect(ledger.state).toEqual({ position: 0, logIdentity: undefined, lostBecause: undefined })
  expect([ledger.lastOf('task'), ledger.carriedOut, ledger.firstPending()]).toEqual([0, 0, undefined])
})

test('batches are carried out in the order of their places', () => {
  const { ledger, write } = openLedger()
  write(() => {
    for (const sequence of [300, 2, 70_000]) ledger.addPending(sequence, batch(`b${sequence}`))
  })
  const order: unknown[] = []
  for (let next = ledger.firstPending(); next !== undefined; next = ledger.firstPending()) {
    const { sequence, id } = next
    expect(ledger.firstPendingSequence()).toBe(sequence)
    order.push([sequence, id])
    write(() => ledger.putCarriedOut(sequence, sequence + 1))
  }
  expect(order).toEqual([
    [2, 'b2'],
    [300, 'b300'],
    [70_000, 'b70000'],
  ])
  expect([ledger.carriedOut, ledger.firstPendingSequence()]).toEqual([70_000, undefined])
  expect(ledger.unconfirmed()).toEqual([2, 300, 70_000].map((sequence) => ({ sequence, batchUid: sequence + 1 })))
  write(() => ledger.confirm([300, 2]))
  expect(ledger.unconfirmed()).toEqual([{ sequence: 70_000, batchUid: 70_001 }])
})

test('ids are recognized for fifty thousand entries', () => {
  const { ledger, write } = openLedger()
  write(() => {
    ledger.remember('old', 1)
    ledger.remember('middle', 2)
    ledger.remember('new', 50_001)
  })
  expect(['old', 'middle', 'new'].map((id) => ledger.knows(id))).toEqual([false, true, true])
})

test('a blob of a payload is of use until all have carried out the batch of its task', () => {
  const { ledger, write } = openLedger()
  write(() => {
    ledger.putPayload('p1', blob('1'))
    ledger.putPayload('p2', blob('2'))
    ledger.retirePayload('p1', 10)
    ledger.retirePayload('unknown', 10)
    ledger.retire(blob('v'), 12)
  })
  expect([ledger.payload('p1'), ledger.payload('p2')]).toEqual([undefined, blob('2')])
  const below = (sequence: number) => [...ledger.retiredBelow(sequence)].map(({ ref }) => ref.id)
  expect([below(10), below(11), below(13)]).toEqual([[], ['1'], ['1', 'v']])
  write(() => ledger.forget([...ledger.retiredBelow(11)][0]!.key))
  expect(below(13)).toEqual(['v'])
})

test('in another log there is no entry of any kind yet', () => {
  const { ledger, write } = openLedger()
  write(() => {
    ledger.follow('first')
    ledger.link = { sequence: 8, hash: 'h' }
    ledger.putLastOf('state', 7)
    ledger.putLastOf('task', 8)
    ledger.follow('first')
  })
  expect([ledger.lastOf('state'), ledger.lastOf('task')]).toEqual([7, 8])
  write(() => ledger.lose('it differs'))
  expect(ledger.state).toEqual({ position: 8, logIdentity: 'first', lostBecause: 'it differs' })
  write(() => ledger.begin('second', 8))
  expect(ledger.state).toEqual({ position: 8, logIdentity: 'second', lostBecause: undefined })
  expect([ledger.link.hash, ledger.lastOf('state'), ledger.lastOf('task')]).toEqual(['h', 0, 0])
})
