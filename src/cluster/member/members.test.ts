import { expect, test } from 'vitest'
import { decodeReport, encodeReport, type MemberReport, Members } from './members.js'

const report = (name: string, facts: Partial<MemberReport> = {}): MemberReport => ({
  name,
  url: `http://${name}:7700`,
  version: '1',
  isReady: true,
  awaited: 'asked',
  isSettled: true,
  waitsFor: {},
  shown: 0,
  isProven: true,
  registered: 0,
  carriedOut: 0,
  isCoordinator: false,
  notified: 0,
  ...facts,
})

function openMembers() {
  let now = 0
  const listening = new Set(['http://a:7700', 'http://b:7700'])
  let isProven = true
  const members = new Members({
    isListening: async (url) => listening.has(url),
    isProven: () => isProven,
    now: () => now,
  })
  members.listen()
  now = 1_500
  const settled: number[] = []
  const wait = (sequence: number) => void members.carriedOut(sequence).then(() => settled.push(sequence))
  const pass = async (ms: number) => {
    now += ms
    members.check()
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return { members, listening, settled, wait, pass, cutOff: () => void (isProven = false) }
}

test('a batch is everywhere when all that are ready have carried it out', async () => {
  const { members, settled, wait, pass } = openMembers()
  members.hear(report('a', { carriedOut: 5 }))
  members.hear(report('b', { carriedOut: 3 }))
  members.hear(report('c', { carriedOut: 1, awaited: null }))
  wait(3)
  wait(4)
  await pass(0)
  expect(settled).toEqual([3])
  members.hear(report('b', { carriedOut: 4 }))
  await pass(0)
  expect(settled).toEqual([3, 4])
})

test('a silent server is waited for as long as it may answer somebody', async () => {
  const { members, settled, wait, pass } = openMembers()
  members.hear(report('a', { carriedOut: 1 }))
  wait(2)
  await pass(12_000)
  expect(settled).toEqual([])
  await pass(1_500)
  expect(settled).toEqual([2])
})

test('one under whose address nobody listens is not waited for', async () => {
  const { members, listening, settled, wait, pass } = openMembers()
  members.hear(report('a', { carriedOut: 1 }))
  wait(2)
  listening.clear()
  await pass(1_000)
  expect(settled).toEqual([])
  await pass(500)
  expect(settled).toEqual([2])
  // It is back, and counts.
  members.hear(report('a', { carriedOut: 1 }))
  wait(3)
  await pass(0)
  expect(settled).toEqual([2])
})

test('a forgotten server is not waited for', async () => {
  const { members, settled, wait, pass } = openMembers()
  members.hear(report('a'))
  wait(1)
  members.forget('a')
  await pass(0)
  expect([settled, members.list()]).toEqual([[1], []])
})

test('who does not know the others yet, or is cut off from them, shows nothing as finished', async () => {
  const members = new Members({ isListening: async () => true, isProven: () => true })
  let isShown = false
  void members.carriedOut(1).then(() => (isShown = true))
  members.check()
  await Promise.resolve()
  expect([isShown, members.isSettled]).toEqual([false, false])

  const { settled, wait, pass, cutOff } = openMembers()
  cutOff()
  wait(1)
  await pass(60_000)
  expect(settled).toEqual([])
})

test('one that belongs to the cluster is waited for although nobody has heard it yet', async () => {
  const { members, settled, wait, pass } = openMembers()
  members.expect({ name: 'a', url: 'http://a:7700' })
  wait(2)
  await pass(5_000)
  expect(settled).toEqual([])
  expect(members.hear(report('a', { carriedOut: 2 }))).toBe(true)
  members.expect({ name: 'a', url: 'http://a:7700' })
  await pass(0)
  expect([settled, members.hear(report('a'))]).toEqual([[2], false])
})

test('it says for whom it waits, and what it has shown', async () => {
  const { members, wait, pass } = openMembers()
  members.hear(report('a', { carriedOut: 4, awaited: 'x' }))
  members.hear(report('b', { awaited: null }))
  wait(3)
  await pass(0)
  expect([members.waitsFor, members.shown, members.isSettled]).toEqual([{ a: 'x' }, 3, true])
})

test('messages are read back, and nonsense is left alone', () => {
  expect(decodeReport(encodeReport(report('a')))).toEqual(report('a'))
  for (const bytes of [Buffer.from('null'), Buffer.from('{}'), Buffer.of(1, 2), Buffer.from('[1]')]) {
    expect(decodeReport(bytes)).toBeUndefined()
  }
})
