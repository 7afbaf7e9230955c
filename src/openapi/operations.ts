import { documents, indexes, settings, singleSetting } from './operations/index-operations.js'
import type { Group, Operation } from './operations/operation.js'
import { chats, rules, search } from './operations/search-operations.js'
import { backups, keys, network, system, tasks, webhooks } from './operations/server-operations.js'

const groups: Readonly<Record<string, Group>> = {
  Search: search,
  Documents: documents,
  Indexes: indexes,
  Settings: settings,
  Tasks: tasks,
  Keys: keys,
  Backups: backups,
  Webhooks: webhooks,
  Network: network,
  'Search rules': rules,
  Chat: chats,
  System: system,
}

export const tags = Object.keys(groups)

/** By method and path, as in `GET /health`. A test holds them against the route table. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(groups).flatMap(([tag, group]) =>
    Object.entries(group).map(([name, operation]) => [name, { tag, ...operation }] as const),
  ),
)

export function operationOf(method: string, path: string): Operation | undefined {
  const single = singleSetting(method, path)
  return single ? { tag: 'Settings', ...single } : operations.get(`${method} ${path}`)
}
