import { type ExecutorOptions, SearchExecutor } from './search-executor.js'
import type { Searching } from './search-order.js'

/** Searches on the thread that asks. */
export function createInlineSearching(options: ExecutorOptions): Searching {
  const executor = new SearchExecutor(options)
  return {
    run: async (order) => executor.run(order),
    inspect: async (kind, bytes) => executor.inspect(kind, bytes),
    checkFilter: async (filter, gates) => executor.checkFilter(filter, gates),
    release: (path) => executor.release(path),
    start: async () => {},
    close: () => executor.closeAll(),
  }
}
