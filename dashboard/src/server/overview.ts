import { signal } from '@preact/signals'
import type { IndexStats } from 'meilisearch'
import { ask, client } from './client.js'
import { type Failure, failureOf } from './failure.js'
import { apiKey } from './session.js'

/** What a key lets its owner do, as far as screens depend on it. */
export type Ability =
  | 'search'
  | 'indexes'
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

type Probes<Name extends string> = Readonly<Record<Name, () => Promise<unknown>>>

/** There is no route that tells what a key may do, so the cheapest request of each kind is tried. */
const PROBES: Probes<Exclude<Ability, 'documents' | 'settings'>> = {
  search: () => ask('post', 'multi-search', { body: { queries: [] } }),
  indexes: () => ask('get', 'indexes?limit=1000'),
  tasks: () => ask('get', 'tasks?limit=0'),
  keys: () => ask('get', 'keys?limit=0'),
  server: () => client.value.getStats(),
  webhooks: () => ask('get', 'webhooks'),
  features: () => ask('get', 'experimental-features'),
  chats: () => ask('get', 'chats?limit=0'),
}

/** The same for what is done with one index, be there one of that name or not. */
const indexProbes = (uid: string): Probes<'documents' | 'settings'> => ({
  documents: () => ask('post', `indexes/${uid}/documents/fetch`, { body: { limit: 0 } }),
  settings: () => ask('get', `indexes/${uid}/settings/distinct-attribute`),
})

/** Refusals for these reasons come after the key was looked at. */
const ALLOWED: ReadonlySet<string> = new Set(['feature_not_enabled', 'index_not_found'])

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

interface Tried {
  readonly answers: ReadonlyMap<Ability, unknown>
  readonly failures: readonly Failure[]
}

async function probe(): Promise<Access> {
  const first = await tried(PROBES)
  const second = await tried(indexProbes(sampleIndex(first)))
  const answers = new Map([...first.answers, ...second.answers])
  if (answers.size > 0) return { state: 'open', overview: overviewOf(answers) }
  const failures = [...first.failures, ...second.failures]
  const refused = failures.find(({ status }) => status === 401 || status === 403)
  return refused ? { state: 'locked', failure: refused } : { state: 'failed', failure: failures[0]! }
}

async function tried<Name extends Ability>(probes: Probes<Name>): Promise<Tried> {
  const answers = new Map<Ability, unknown>()
  const failures: Failure[] = []
  await Promise.all(
    (Object.keys(probes) as Name[]).map(async (name) => {
      try {
        answers.set(name, await probes[name]())
      } catch (error) {
        const failure = failureOf(error)
        failures.push(failure)
        if (ALLOWED.has(failure.code)) answers.set(name, undefined)
      }
    }),
  )
  return { answers, failures }
}

/** A key may be for some indexes only: one that it lists, or the one that the address names. */
function sampleIndex({ answers }: Tried): string {
  const listed = answers.get('indexes') as IndexList | undefined
  return listed?.results[0]?.uid ?? /^#\/\w+\/([\w-]+)/.exec(location.hash)?.[1] ?? 'none'
}

interface IndexList {
  readonly results: readonly { readonly uid: string; readonly primaryKey: string | null }[]
}

function overviewOf(answers: ReadonlyMap<Ability, unknown>): Overview {
  const listed = answers.get('indexes') as IndexList | undefined
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
