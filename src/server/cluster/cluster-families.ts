import { type Family, gauge, type Sample, samplesBy } from '../metrics/family.js'
import type { ClusterView } from './cluster-view.js'

/** What a server of a cluster shows beside all others. The interface has no such metrics, so the names are our own. */
export function clusterFamilies({ members, log, isReady }: ClusterView): Family[] {
  const self = members.find((member) => member.self)!
  return [
    own('ready', '1 while this server may be asked.', isReady ? 1 : 0),
    own('coordinator', '1 while this server decides on batches.', self.isCoordinator ? 1 : 0),
    own('log_last_sequence', 'End of the log, as far as this server knows.', log.lastSequence),
    own('registered_sequence', 'Place in the log up to which this server knows everything.', self.registered),
    own('carried_out_sequence', 'Place in the log of the last batch that this server carried out.', self.carriedOut),
    own('lag_entries', 'Entries of the log that this server has not read yet.', self.lag),
    {
      ...{ name: 'findling_cluster_members', help: 'Servers of the cluster that were heard of.', type: 'gauge' },
      samples: countBy(members.map((member) => (member.isReady ? 'ready' : 'not_ready'))),
    },
    {
      ...{ name: 'findling_cluster_log_replicas', help: 'nats-servers that keep the log.', type: 'gauge' },
      samples: countBy((log.replicas ?? []).map(stateOf)),
    },
    {
      ...{ name: 'findling_cluster_log_silent_seconds', type: 'gauge' },
      help: 'How long ago a majority of the log answered this server.',
      samples: known({}, log.silentMs === null ? null : log.silentMs / 1_000),
    },
    {
      ...{ name: 'findling_cluster_log_bytes', help: 'Bytes of the log on each of its servers.', type: 'gauge' },
      samples: [...known({ part: 'entries' }, log.bytes), ...known({ part: 'blobs' }, log.blobBytes)],
    },
  ]
}

const own = (name: string, help: string, value: number): Family => gauge(`findling_cluster_${name}`, help, value)

type Replica = NonNullable<ClusterView['log']['replicas']>[number]

function stateOf({ isOffline, isCurrent }: Replica): string {
  if (isOffline) return 'offline'
  return isCurrent ? 'current' : 'behind'
}

function countBy(states: readonly string[]): readonly Sample[] {
  const counts = new Map<string, number>()
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1)
  return samplesBy('state', counts)
}

/** What nobody can tell at the moment is not shown. */
const known = (labels: Sample['labels'], value: number | null): readonly Sample[] =>
  value === null ? [] : [{ labels, value }]
