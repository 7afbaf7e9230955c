/** Every action a key can be given, in the order in which messages list them (spec 1 §4.3). */
export const ACTIONS = [
  '*',
  'search',
  'documents.*',
  'documents.add',
  'documents.get',
  'documents.delete',
  'indexes.*',
  'indexes.create',
  'indexes.get',
  'indexes.update',
  'indexes.delete',
  'indexes.swap',
  'tasks.*',
  'tasks.cancel',
  'tasks.delete',
  'tasks.get',
  'settings.*',
  'settings.get',
  'settings.update',
  'stats.*',
  'stats.get',
  'metrics.*',
  'metrics.get',
  'dumps.*',
  'dumps.create',
  'snapshots.*',
  'snapshots.create',
  'version',
  'keys.create',
  'keys.get',
  'keys.update',
  'keys.delete',
  'experimental.get',
  'experimental.update',
  'export',
  'network.get',
  'network.update',
  'chatCompletions',
  'chats.*',
  'chats.get',
  'chats.delete',
  'chatsSettings.*',
  'chatsSettings.get',
  'chatsSettings.update',
  '*.get',
  'webhooks.get',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.create',
  'webhooks.*',
  'indexes.compact',
  'fields.post',
  'tasks.compact',
  'dynamicSearchRules.get',
  'dynamicSearchRules.create',
  'dynamicSearchRules.update',
  'dynamicSearchRules.delete',
  'dynamicSearchRules.*',
  // Findling's own, which the interface does not have.
  'cluster.get',
] as const

export type Action = (typeof ACTIONS)[number]

/**
 * What a wildcard grants. Only `*` grants the permission spelled `documents.*`, which editing documents asks for: a
 * key created with `documents.*` holds the three expanded actions and not that one (spec 1 §4.3).
 */
const GRANTS: { readonly [Wildcard in Action]?: readonly Action[] } = {
  '*': ACTIONS,
  '*.get': [
    'search',
    'documents.get',
    'export',
    'indexes.get',
    'tasks.get',
    'settings.get',
    'stats.get',
    'metrics.get',
    'version',
    'experimental.get',
    'network.get',
    'chats.get',
    'chatsSettings.get',
    'webhooks.get',
    'fields.post',
    'dynamicSearchRules.get',
    'cluster.get',
  ],
  'documents.*': ['documents.get', 'documents.add', 'documents.delete'],
  'indexes.*': ['indexes.create', 'indexes.get', 'indexes.update', 'indexes.delete', 'indexes.swap', 'indexes.compact'],
  'tasks.*': ['tasks.get', 'tasks.delete', 'tasks.cancel', 'tasks.compact'],
  'settings.*': ['settings.get', 'settings.update'],
  'stats.*': ['stats.get'],
  'metrics.*': ['metrics.get'],
  'dumps.*': ['dumps.create'],
  'snapshots.*': ['snapshots.create'],
  'chats.*': ['chats.get', 'chats.delete'],
  'chatsSettings.*': ['chatsSettings.get', 'chatsSettings.update'],
  'webhooks.*': ['webhooks.get', 'webhooks.create', 'webhooks.update', 'webhooks.delete'],
  'dynamicSearchRules.*': [
    'dynamicSearchRules.get',
    'dynamicSearchRules.create',
    'dynamicSearchRules.update',
    'dynamicSearchRules.delete',
  ],
}

/** The permissions that a list of actions amounts to. */
export function expandActions(actions: readonly Action[]): ReadonlySet<Action> {
  return new Set(actions.flatMap((action) => GRANTS[action] ?? [action]))
}

const GLOBAL_FAMILIES = ['metrics', 'dumps', 'snapshots', 'keys', 'experimental', 'network'].concat(
  'chats',
  'chatsSettings',
  'webhooks',
  'dynamicSearchRules',
  'cluster',
)

/** Actions on the whole server: a key limited to some indexes cannot be created with them (spec 1 §4.4). */
export function isGlobalAction(action: Action): boolean {
  if (action === 'version' || action === 'export' || action === 'tasks.compact') return true
  return GLOBAL_FAMILIES.includes(action.split('.')[0] ?? '')
}

const CHECKED_BY_HANDLERS: ReadonlySet<Action> = new Set<Action>([
  'search',
  'documents.get',
  'indexes.create',
  'indexes.get',
  'indexes.swap',
  'tasks.get',
  'tasks.cancel',
  'tasks.delete',
  'settings.get',
  'stats.get',
  'stats.*',
  'chatCompletions',
])

/** Actions that a key limited to some indexes may use on a route without an index in its path: the route filters. */
export function isCheckedByHandlers(action: Action): boolean {
  return CHECKED_BY_HANDLERS.has(action)
}

export const isKeysAction = (action: Action): boolean => action.startsWith('keys.')
