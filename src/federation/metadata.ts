import type { SearchContext } from '../answer/index.js'
import { newUid } from '../answer/index.js'
import type { Federated } from './federated.js'
import type { PlannedQuery } from './plan.js'

/** What is told of each query, in the order of the request (spec 8 §2). */
export function printMetadata(queries: readonly PlannedQuery[], found: Federated, context: SearchContext): string {
  return `[${queries.map((query) => printQueryMetadata(query, found, context)).join(',')}]`
}

export function printQueryMetadata(query: PlannedQuery, found: Federated, context: SearchContext): string {
  const { indexUid, search, federationOptions } = query
  const primaryKey = primaryKeyOf(indexUid, found)
  const remote = federationOptions?.remote ?? (found.plan.usesNetwork ? (context.network?.self ?? null) : null)
  const members = [
    ...(search.q === null || context.gates.legacySearch ? [] : [`"query":${JSON.stringify(search.q)}`]),
    `"queryUid":"${newUid()}"`,
    `"indexUid":${JSON.stringify(indexUid)}`,
    ...(primaryKey === null ? [] : [`"primaryKey":${JSON.stringify(primaryKey)}`]),
    ...(remote === null ? [] : [`"remote":${JSON.stringify(remote)}`]),
  ]
  return `{${members.join(',')}}`
}

/** As known here, or as another server told it. */
function primaryKeyOf(uid: string, { local, remotes }: Federated): string | null {
  const here = local.find((result) => result.uid === uid)?.primaryKey
  if (here !== undefined && here !== null) return here
  for (const { primaryKeys } of remotes) if (primaryKeys.has(uid)) return primaryKeys.get(uid)!
  return null
}
