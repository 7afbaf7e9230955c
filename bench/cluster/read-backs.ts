import type { LocalCluster } from '../../scripts/cluster/local-cluster.js'

const CLIENTS = 24
const INDEX = 'read-back'

/** How many documents were found by a search on another server than the one that said their task had succeeded. */
export async function countReadBacks({ servers }: LocalCluster, count: number): Promise<number> {
  let next = 0
  let found = 0
  const readBack = async (id: number): Promise<boolean> => {
    const [writer, watched, asked] = [0, 1, 2].map((n) => servers[(id + n) % servers.length]!)
    const word = wordOf(id)
    const { body } = await writer!.request('POST', `/indexes/${INDEX}/documents`, [{ id, title: `film ${word}` }])
    const { status } = await watched!.waitTask(body.taskUid)
    const answer = await asked!.request('POST', `/indexes/${INDEX}/search`, { q: `"${word}"` })
    return status === 'succeeded' && answer.body.hits?.some((hit: { id: number }) => hit.id === id)
  }
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) if (await readBack(next++)) found++
    }),
  )
  return found
}

/** Letters alone, another word for each number. */
function wordOf(number: number): string {
  return `w${number.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}e`
}
