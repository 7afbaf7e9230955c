import type { ClusterServer } from '../../cluster/local-cluster.js'

const PAGE = 1_000

/** What a check needs of a server. */
export type CheckedServer = Pick<ClusterServer, 'name' | 'request' | 'logPath' | 'unexpectedEnds'>

interface Page<T> {
  readonly results: readonly T[]
  readonly next?: number | null
}

/** All tasks or batches from a uid on, the oldest first. What servers tell differently is put into `problems`. */
export async function eventsOf<T extends { readonly uid: number }>(
  path: string,
  { servers, from = 0, problems }: { servers: readonly CheckedServer[]; from?: number; problems: string[] },
): Promise<T[]> {
  const events: T[] = []
  for (let next: number | null | undefined = from; typeof next === 'number'; ) {
    const page: Page<T> = await pageOf(`${path}?reverse=true&limit=${PAGE}&from=${next}`, servers, problems)
    events.push(...page.results)
    next = page.next
  }
  return events
}

/** All documents of an index in the order in which they are listed, which has to be the same everywhere. */
export async function documentsOf<T>(
  index: string,
  { servers, problems, sort }: { servers: readonly CheckedServer[]; problems: string[]; sort: string | undefined },
): Promise<T[]> {
  const documents: T[] = []
  const order = sort === undefined ? '' : `&sort=${sort}`
  for (;;) {
    const path = `/indexes/${index}/documents?limit=${PAGE}&offset=${documents.length}${order}`
    const { results } = await pageOf<T>(path, servers, problems)
    documents.push(...results)
    if (results.length < PAGE) return documents
  }
}

async function pageOf<T>(path: string, servers: readonly CheckedServer[], problems: string[]): Promise<Page<T>> {
  const pages = await Promise.all(
    servers.map(async (server) => {
      const { status, body } = await server.request('GET', path)
      if (status !== 200) throw new Error(`${server.name} answered GET ${path} with ${status}`)
      return body as Page<T>
    }),
  )
  for (const [i, page] of pages.slice(1).entries()) {
    const difference = differenceOf(pages[0]!, page)
    if (difference !== undefined)
      problems.push(`GET ${path}: ${servers[0]!.name} and ${servers[i + 1]!.name} differ: ${difference}`)
  }
  return pages[0]!
}

function differenceOf<T>(one: Page<T>, other: Page<T>): string | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return undefined
  const texts = [one, other].map(({ results }) => results.map((each) => JSON.stringify(each)))
  const at = texts[0]!.findIndex((text, i) => text !== texts[1]![i])
  if (at < 0) return `${one.results.length} and ${other.results.length} entries`
  return `${texts[0]![at]?.slice(0, 600)} and ${texts[1]![at]?.slice(0, 600)}`
}
