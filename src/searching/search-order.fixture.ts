import type { SearchOrder } from './search-order.js'

/** What an order says beside what is searched, when nothing is special about it. */
export const PLAIN_ORDER: Omit<SearchOrder, 'bytes' | 'uid' | 'folders'> = {
  kind: 'searchBody',
  tenantFilters: [],
  gates: { containsFilter: false, foreignKeys: false, network: false, multimodal: false, legacySearch: false },
  includesMetadata: false,
  network: null,
  isProxied: false,
  isForShards: false,
  rules: [],
  queuedMs: 0,
}
