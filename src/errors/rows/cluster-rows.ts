import { detailed, row } from './row.js'

/** Codes of Findling's own, which the interface does not have: a single server never answers with them. */
export const clusterRows = {
  cluster_unavailable: row(
    'system',
    503,
    (node: string) =>
      `The server "${node}" reaches no majority of the cluster's log, so that nothing can be written for now. Searches go on. The request may have been registered all the same: look at \`/tasks\` before you send it again.`,
  ),
  /** Only servers that share an index say it, to each other. */
  shard_map_outdated: row('invalid_request', 412, detailed),
  shard_map_unknown: row('invalid_request', 412, detailed),
} as const
