import { expect, test } from 'vitest'
import { exposeMetrics } from '../metrics/exposition.js'
import { clusterFamilies } from './cluster-families.js'
import type { ClusterView } from './cluster-view.js'

const member = (name: string, self: boolean, isReady: boolean): ClusterView['members'][number] => ({
  ...{ name, url: null, version: '1.49.0', self, isReady, isCoordinator: self },
  ...{ registered: 118, carriedOut: 100, lag: 2, silentMs: 0 },
})

const view: ClusterView = {
  ...{ enabled: true, name: 'shop', node: 'a', isReady: true, coordinator: 'a', problem: null },
  members: [member('a', true, true), member('b', false, false), member('c', false, true)],
  log: {
    ...{ lastSequence: 120, firstSequence: 1, leader: 'n1', bytes: 4096, blobBytes: 0, silentMs: 250 },
    replicas: [
      { name: 'n1', isLeader: true, isCurrent: true, isOffline: false, lag: 0 },
      { name: 'n2', isLeader: false, isCurrent: true, isOffline: false, lag: 0 },
      { name: 'n3', isLeader: false, isCurrent: false, isOffline: true, lag: 7 },
    ],
  },
}

const lines = (shown: ClusterView) =>
  exposeMetrics(clusterFamilies(shown))
    .split('\n')
    .filter((line) => line.startsWith('findling_'))

test('a server of a cluster shows its place, the others and the log', () => {
  expect(lines(view)).toEqual([
    'findling_cluster_ready 1',
    'findling_cluster_coordinator 1',
    'findling_cluster_log_last_sequence 120',
    'findling_cluster_registered_sequence 118',
    'findling_cluster_carried_out_sequence 100',
    'findling_cluster_lag_entries 2',
    'findling_cluster_members{state="ready"} 2',
    'findling_cluster_members{state="not_ready"} 1',
    'findling_cluster_log_replicas{state="current"} 2',
    'findling_cluster_log_replicas{state="offline"} 1',
    'findling_cluster_log_silent_seconds 0.25',
    'findling_cluster_log_bytes{part="entries"} 4096',
    'findling_cluster_log_bytes{part="blobs"} 0',
  ])
})

test('what nobody can tell without a majority is left out', () => {
  const log = { ...view.log, replicas: null, bytes: null, blobBytes: null, silentMs: null }
  expect(lines({ ...view, isReady: false, log }).filter((line) => /replicas|bytes|silent/.test(line))).toEqual([])
  expect(lines({ ...view, isReady: false, log })[0]).toBe('findling_cluster_ready 0')
})
