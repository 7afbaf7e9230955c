import type { ShardsOfServers } from './divide-documents.js'
import type { ClusterServer } from './local-cluster.js'

const ANSWERS_MS = 2_000

/** How many documents of an index each server has of each shard, and how many a search finds through any of them. */
export async function documentsText(
  servers: readonly ClusterServer[],
  shards: ShardsOfServers,
  index: string,
): Promise<string> {
  const names = Object.keys(shards)
  const rows = await Promise.all(
    servers.map(async (server) => {
      const ask = async (query: string): Promise<number | undefined> => {
        const path = `/indexes/${index}/documents?limit=0&${query}`
        const answer = await server.request('GET', path, undefined, ANSWERS_MS).catch(() => undefined)
        return answer?.status === 200 ? answer.body.total : undefined
      }
      const ofShard = (name: string) => ask(`useNetwork=false&filter=${encodeURIComponent(`_shard = "${name}"`)}`)
      const own = await Promise.all(names.map(ofShard))
      return [server.name, ...own.map(shown), shown(await ask('useNetwork=false')), shown(await ask('useNetwork=true'))]
    }),
  )
  return table([['server', ...names, 'documents', 'of all servers'], ...rows])
}

/** Neither a server that is away nor one without documents of a shard shows a number. */
const shown = (count: number | undefined): string => (count === undefined || count === 0 ? '' : String(count))

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')
  return `${rows.map((row) => line(row).trimEnd()).join('\n')}\n`
}
