import type { Timestamp } from '../time/index.js'
import type { ServerContext } from './context.js'
import type { IndexStatistics, StoreSizes } from './statistics.js'

/** All indexes, visible or not, the task store and the key store (spec 1 §5.4). */
export async function readStoreSizes({
  indexStatistics,
  systemEnvironment,
  authEnvironment,
}: Pick<ServerContext, 'indexStatistics' | 'systemEnvironment' | 'authEnvironment'>): Promise<StoreSizes> {
  const all = [await indexStatistics.sizes(), systemEnvironment.sizes(), authEnvironment.sizes()]
  const sum = (pick: (sizes: StoreSizes) => number) => all.reduce((total, sizes) => total + pick(sizes), 0)
  return { fileBytes: sum((sizes) => sizes.fileBytes), usedBytes: sum((sizes) => sizes.usedBytes) }
}

export function latestUpdate(statistics: readonly IndexStatistics[]): Timestamp | undefined {
  return statistics.reduce<Timestamp | undefined>(
    (latest, { updatedAt }) => (latest === undefined || updatedAt > latest ? updatedAt : latest),
    undefined,
  )
}
