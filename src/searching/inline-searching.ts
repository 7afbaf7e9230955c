import { type DeskOptions, SearchDesk } from './search-desk.js'
import type { Searching } from './search-order.js'

/** Searches on the thread that asks. */
export function createInlineSearching(options: DeskOptions): Searching {
  const desk = new SearchDesk(options)
  return {
    run: async (order) => desk.run(order),
    inspect: async (kind, bytes) => desk.inspect(kind, bytes),
    checkFilter: async (filter, gates) => desk.checkFilter(filter, gates),
    release: (path) => desk.release(path),
    start: async () => {},
    close: () => desk.closeAll(),
  }
}
