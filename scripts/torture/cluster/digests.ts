import { join } from 'node:path'
import { IndexFolder } from '../../../src/folder/index.js'
import { folderDigest } from '../../../src/index/index.js'
import { Environment } from '../../../src/store/index.js'
import { IndexCatalogue } from '../../../src/tasks/index.js'
import type { ClusterServer } from '../../cluster/local-cluster.js'

/** Whether the databases of all indexes are the same, byte by byte, on servers that were stopped. Answers what differs. */
export async function compareDigests(servers: readonly ClusterServer[]): Promise<string[]> {
  const digests: string[] = []
  for (const { folder } of servers) digests.push((await digestsOf(join(folder, 'data.ms'))).join(', '))
  if (new Set(digests).size === 1) return []
  return servers.map(({ name }, i) => `the indexes of ${name} come to ${digests[i]}, which differs`)
}

async function digestsOf(dbPath: string): Promise<string[]> {
  const system = Environment.open(join(dbPath, 'tasks'), { maxDatabases: 32 })
  try {
    const digests: string[] = []
    for (const { uid, folder } of new IndexCatalogue(system).list()) {
      const index = IndexFolder.openExisting(join(dbPath, 'indexes', folder))
      digests.push(`${uid} ${folderDigest(index)}`)
      await index.environment.close()
    }
    return digests
  } finally {
    await system.close()
  }
}
