import type { Action } from './actions.js'

export interface DefaultKey {
  readonly name: string
  readonly description: string
  readonly actions: readonly Action[]
}

/** The keys of an empty key store, in the order of creation. Clients compare the texts (spec 1 §4.7). */
export const DEFAULT_KEYS: readonly DefaultKey[] = [
  {
    name: 'Default Chat API Key',
    description: 'Use it to chat and search from the frontend',
    actions: ['chatCompletions', 'search'],
  },
  {
    name: 'Default Read-Only Admin API Key',
    description:
      'Use it to read information across the whole database. Caution! Do not expose this key on a public frontend',
    actions: ['*.get', 'keys.get'],
  },
  {
    name: 'Default Admin API Key',
    description: 'Use it for anything that is not a search operation. Caution! Do not expose it on a public frontend',
    actions: ['*'],
  },
  {
    name: 'Default Search API Key',
    description: 'Use it to search from the frontend',
    actions: ['search'],
  },
]
