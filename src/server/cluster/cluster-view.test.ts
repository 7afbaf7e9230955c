import { expect, test } from 'vitest'
import type { LogHealth, MemberReport, MemberStatus } from '../../cluster/index.js'
import { clusterView } from './cluster-view.js'

const report = (name: string, registered: number): MemberReport => ({
  name,
  url: `http://${name}:7700`,
  version: '1.49.0',
  isReady: true,
  registered,
  carriedOut: registered - 1,
  isCoordinator: name === 'b',
  awaited: 'asked',
  isSettled: true,
  waitsFor: {},
  shown: 0,
  isProven: true,
  notified: 0,
})

const status: MemberStatus = {
  self: report('b', 12),
  others: [
    { ...report('c', 7), isReady: false, silentMs: 900.4 },
    { ...report('a', 13), silentMs: 20.6 },
  ],
  coordinator: 'b',
  lastSequence: 12,
  logSilentMs: 120.5,
  problem: undefined,
}

const replica = { name: 'nats-1', isLeader: true, isCurrent: true, isOffline: false, lag: 0 }
const health: LogHealth = {
  leader: 'nats-1',
  replicas: [replica],
  firstSequence: 3,
  lastSequence: 12,
  messages: 10,
  bytes: 4096,
  blobBytes: 10,
}

test('members are shown by name, with how far each is behind the end of the log', () => {
  const { members, ...view } = clusterView('shop', status, health)
  const url = expect.any(String)
  const version = '1.49.0'
  expect(members).toEqual([
    {
      ...{ name: 'a', url, version, self: false, isReady: true, isCoordinator: false },
      ...{ registered: 13, carriedOut: 12, lag: 0, silentMs: 21 },
    },
    {
      ...{ name: 'b', url, version, self: true, isReady: true, isCoordinator: true },
      ...{ registered: 12, carriedOut: 11, lag: 1, silentMs: 0 },
    },
    {
      ...{ name: 'c', url, version, self: false, isReady: false, isCoordinator: false },
      ...{ registered: 7, carriedOut: 6, lag: 6, silentMs: 900 },
    },
  ])
  expect(view).toEqual({
    enabled: true,
    name: 'shop',
    node: 'b',
    isReady: true,
    coordinator: 'b',
    log: {
      ...{ lastSequence: 13, firstSequence: 3, leader: 'nats-1', replicas: [replica] },
      ...{ bytes: 4096, blobBytes: 10, silentMs: 121 },
    },
    problem: null,
  })
})

test('a member that is not heard any more is neither ready nor the coordinator', () => {
  const gone = { ...report('c', 12), isCoordinator: true, silentMs: 3_000 }
  const { members } = clusterView('shop', { ...status, others: [gone] }, health)
  expect(members[1]).toMatchObject({ name: 'c', isReady: false, isCoordinator: false, silentMs: 3_000 })
})

test('what nobody can tell without a majority of the log is null', () => {
  const lost = { ...status, coordinator: undefined, logSilentMs: undefined, problem: 'it is another one' }
  const view = clusterView('shop', lost, undefined)
  expect([view.coordinator, view.problem]).toEqual([null, 'it is another one'])
  expect(view.log).toEqual({
    ...{ lastSequence: 13, firstSequence: null, leader: null, replicas: null },
    ...{ bytes: null, blobBytes: null, silentMs: null },
  })
})
