import { signal } from '@preact/signals'
import type { IndexStats } from 'meilisearch'
import { ask, client } from './client.js'
import { type Failure, failureOf } from './failure.js'
import { apiKey } from './session.js'

/** What a key lets its owner do, as far as screens depend on it. */
export type Ability =
  | 'search'
  | 'documents'
  | 'settings'
  | 'tasks'
  | 'keys'
  | 'server'
  | 'webhooks'
  | 'features'
  | 'chats'

export interface IndexOverview {
  readonly uid: string
  readonly primaryKey: string | null
  /** Undefined where the key may not know. */
  readonly stats: IndexStats | undefined
}

/** What is known of the server before any screen asks it. */
export interface Overview {
  readonly may: ReadonlySet<Ability>
  /** Undefined where the key may not know: then people say which one they mean. */
  readonly indexes: readonly IndexOverview[] | undefined
  /** Experimental features and whether they are on; empty where the key may not know. */
  readonly features: Readonly<Record<string, boolean>>
}

export type Access =
  | { readonly state: 'asking' }
  /** It wants a key, or another one. */
  | { readonly state: 'locked'; readonly failure: Failure }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'open'; readonly overview: Overview }

export const access = signal<Access>({ state: 'asking' })

/** There is no route that tells what a key may do, so the cheapest request of each kind is tried. */
const PROBES: Readonly<Record<Ability, () => Promise<unknown>>> = {
  search: () => ask('post', 'multi-search', { body: { queries: [] } }),
  documents: () => ask('get', 'indexes?limit=1000'),
  settings: () => ask('get', 'indexes?limit=0'),
  tasks: () => ask('get', 'tasks?limit=0'),
  keys: () => ask('get', 'keys?limit=0'),
  server: () => client.value.getStats(),
  webhooks: () => ask('get', 'webhooks'),
  features: () => ask('get', 'experimental-features'),
  chats: () => ask('get', 'chats?limit=0'),
}

/** Null where it has none, or the key may not know. */
export function primaryKeyOf(index: string): string | null {
  const current = access.value
  if (current.state !== 'open') return null
  return current.overview.indexes?.find(({ uid }) => uid === index)?.primaryKey ?? null
}

let turn = 0

/** Looks at the server again, with the key that is used now. */
export async function lookAround(): Promise<void> {
  const own = ++turn
  const found = await probe()
  if (own === turn) access.value = found
}

async function probe(): Promise<Access> {
  const names = Object.keys(PROBES) as Ability[]
  const results = await Promise.allSettled(names.map((name) => PROBES[name]()))
  const answers = new Map<Ability, unknown>()
  const failures: Failure[] = []
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') answers.set(names[i]!, result.value)
    else {
      const failure = failureOf(result.reason)
      failures.push(failure)
      // The key would do: the feature is off.
      if (failure.code === 'feature_not_enabled') answers.set(names[i]!, undefined)
    }
  }
  if (answers.size > 0) return { state: 'open', overview: overviewOf(answers) }
  const refused = failures.find(({ status }) => status === 401 || status === 403)
  return refused ? { state: 'locked', failure: refused } : { state: 'failed', failure: failures[0]! }
}

function overviewOf(answers: ReadonlyMap<Ability, unknown>): Overview {
  const listed = answers.get('documents') as { results: { uid: string; primaryKey: string | null }[] } | undefined
  const stats = answers.get('server') as { indexes: Record<string, IndexStats> } | undefined
  const uids = listed?.results ?? Object.keys(stats?.indexes ?? {}).map((uid) => ({ uid, primaryKey: null }))
  return {
    may: new Set(answers.keys()),
    indexes:
      listed === undefined && stats === undefined
        ? undefined
        : uids.map(({ uid, primaryKey }) => ({ uid, primaryKey, stats: stats?.indexes[uid] })),
    features: (answers.get('features') as Record<string, boolean> | undefined) ?? {},
  }
}

apiKey.subscribe(() => {
  access.value = { state: 'asking' }
  void lookAround()
})
