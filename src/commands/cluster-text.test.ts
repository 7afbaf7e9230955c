import { expect, test } from 'vitest'
import type { ClusterView } from '../server/index.js'
import { clusterProblems, clusterText, isWell } from './cluster-text.js'

const member = (name: string, facts: Partial<ClusterView['members'][number]> = {}) => ({
  ...{ name, url: `http://${name}:7700`, version: '1.49.0', self: false, isReady: true, isCoordinator: false },
  ...{ registered: 120, carriedOut: 118, lag: 0, silentMs: 400 },
  ...facts,
})

const replica = (name: string, isLeader: boolean, isOffline = false) => ({
  ...{ name, isLeader, isOffline, isCurrent: !isOffline, lag: 0 },
})

const view: ClusterView = {
  enabled: true,
  name: 'shop',
  node: 'a',
  isReady: true,
  coordinator: 'b',
  members: [member('a', { self: true }), member('b', { isCoordinator: true }), member('c', { url: null })],
  log: {
    ...{ lastSequence: 120, firstSequence: 1, leader: 'nats-1', bytes: 1_500_000, blobBytes: 0, silentMs: 10 },
    replicas: [replica('nats-1', true), replica('nats-2', false), replica('nats-3', false)],
  },
  problem: null,
}

test('a cluster that is well is a table and a line about its log', () => {
  expect(clusterText(view)).toBe(
    `Cluster shop, as a sees it
member  ready  coordinator  registered  carried out  lag  heard  version  url
a       yes                 120         118          0    asked  1.49.0   http://a:7700
b       yes    yes          120         118          0    now    1.49.0   http://b:7700
c       yes                 120         118          0    now    1.49.0
Log 1 to 120, 1.5 MB and 0.0 MB of blobs; nats-1 leads, 3 of 3 replicas current
`,
  )
  expect(isWell(view)).toBe(true)
})

test('a member that is not ready is said so, below the table', () => {
  const members = [member('a', { self: true }), member('b', { isReady: false, lag: 20, silentMs: 65_432 })]
  const lines = clusterText({ ...view, members }).split('\n')
  expect(lines[3]).toBe('b       NO                  120         118          20   65 s ago  1.49.0   http://b:7700')
  expect(lines.slice(-2)).toEqual(['! b is not ready', ''])
  expect(isWell({ ...view, members })).toBe(false)
})

test('who has which shard is said, and which nobody has', () => {
  const members = [member('a', { self: true }), member('b', { isReady: false })]
  const shards = { one: ['a', 'b'], two: ['b'] }
  const lines = clusterText({ ...view, members, shards, shardChange: 7 }).split('\n')
  expect(lines.slice(-5)).toEqual([
    'Shards: one on a, b; two on b',
    'Shards are being changed by task 7',
    '! b is not ready',
    '! no server with shard two is ready: its documents are not found, and tasks wait',
    '',
  ])
})

test('one of three replicas may be offline, two may not', () => {
  const one = { ...view.log, replicas: [replica('nats-1', true), replica('n2', false), replica('n3', false, true)] }
  expect(clusterProblems({ ...view, log: one })).toEqual(['nats-server n3 is offline'])
  expect(isWell({ ...view, log: one })).toBe(true)
  const two = {
    ...view.log,
    replicas: [replica('nats-1', true), replica('n2', false, true), replica('n3', false, true)],
  }
  expect(isWell({ ...view, log: two })).toBe(false)
})

test('a log that nobody answers for, a missing coordinator and lost data are named', () => {
  const log = { ...view.log, leader: null, replicas: null, firstSequence: null, bytes: null, blobBytes: null }
  const lost = { ...view, log, coordinator: null, problem: 'the log is damaged' }
  expect(clusterProblems(lost)).toEqual([
    'a cannot go on with the data it has: the log is damaged',
    'the log has no majority of its nats-servers: nothing can be written',
    'there is no coordinator: tasks wait',
  ])
  expect(clusterText(lost)).toContain('\nLog up to 120, as far as it is known: nobody answers for it\n')
  expect(isWell(lost)).toBe(false)
})
