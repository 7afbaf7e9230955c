import { type Texts, texts } from '../texts/index.js'

export type Action = keyof Texts['keys']['actionTexts']

interface Group {
  readonly name: keyof Texts['keys']['groups']
  readonly actions: readonly Action[]
}

/** All that a key can be given, those that belong together side by side. */
export const GROUPS: readonly Group[] = [
  { name: 'all', actions: ['*', '*.get'] },
  { name: 'search', actions: ['search'] },
  { name: 'documents', actions: ['documents.*', 'documents.get', 'documents.add', 'documents.delete'] },
  {
    name: 'indexes',
    actions: [
      'indexes.*',
      'indexes.get',
      'indexes.create',
      'indexes.update',
      'indexes.delete',
      'indexes.swap',
      'indexes.compact',
      'fields.post',
    ],
  },
  { name: 'settings', actions: ['settings.*', 'settings.get', 'settings.update'] },
  { name: 'tasks', actions: ['tasks.*', 'tasks.get', 'tasks.cancel', 'tasks.delete', 'tasks.compact'] },
  {
    name: 'chats',
    actions: [
      'chatCompletions',
      'chats.*',
      'chats.get',
      'chats.delete',
      'chatsSettings.*',
      'chatsSettings.get',
      'chatsSettings.update',
    ],
  },
  {
    name: 'rules',
    actions: [
      'dynamicSearchRules.*',
      'dynamicSearchRules.get',
      'dynamicSearchRules.create',
      'dynamicSearchRules.update',
      'dynamicSearchRules.delete',
    ],
  },
  { name: 'keys', actions: ['keys.get', 'keys.create', 'keys.update', 'keys.delete'] },
  {
    name: 'webhooks',
    actions: ['webhooks.*', 'webhooks.get', 'webhooks.create', 'webhooks.update', 'webhooks.delete'],
  },
  {
    name: 'server',
    actions: [
      'stats.get',
      'metrics.get',
      'version',
      'dumps.create',
      'snapshots.create',
      'export',
      'experimental.get',
      'experimental.update',
      'network.get',
      'network.update',
      'cluster.get',
    ],
  },
]

/** Reading that has no `.get` in its name, and the one that `*.get` leaves out (spec 1 §4.3). */
const READ_TOO: readonly Action[] = ['search', 'export', 'version', 'fields.post']
const NOT_READ: readonly Action[] = ['keys.get']

/** Whether one of the chosen wildcards gives it. */
export function isGranted(action: Action, chosen: ReadonlySet<Action>): boolean {
  if (chosen.has('*') && action !== '*') return true
  const isRead =
    (action.endsWith('.get') && action !== '*.get' && !NOT_READ.includes(action)) || READ_TOO.includes(action)
  if (chosen.has('*.get') && isRead) return true
  const family = `${action.split('.')[0]}.*` as Action
  return action !== family && action.includes('.') && action !== '*.get' && chosen.has(family)
}

/** Keys may hold actions of servers to come. */
export const textOf = (action: string): string | undefined => (texts.keys.actionTexts as Record<string, string>)[action]
