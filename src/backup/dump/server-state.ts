import type { JsonObject, JsonValue } from '../../json/index.js'
import { print } from '../../json/index.js'

/**
 * What a server knows besides indexes and tasks, in the form that dumps have (spec 2 §6.2), secrets in clear. Null:
 * nothing is said about it.
 */
export interface ServerState {
  readonly instanceUid: string | null
  readonly keys: readonly JsonObject[]
  readonly features: JsonObject | null
  readonly network: JsonObject | null
  readonly webhooks: JsonObject | null
  /** By the name of the workspace. */
  readonly chats: ReadonlyMap<string, JsonObject>
  /** In the order of their uids. */
  readonly rules: readonly JsonObject[]
}

/** A small member of a dump: its name and its whole text; null for a folder. */
export type Member = readonly [name: string, text: string | null]

/** The members that hold the state, folders first even when they stay empty. */
export function stateMembers(state: ServerState): Member[] {
  const { instanceUid, keys, features, network, webhooks, chats, rules } = state
  return [
    ...(instanceUid === null ? [] : [['instance_uid.uuid', instanceUid] as const]),
    ['keys.jsonl', keys.map((key) => `${print(key)}\n`).join('')],
    ...jsonMember('experimental-features.json', features),
    ...jsonMember('network.json', network),
    ...jsonMember('webhooks.json', webhooks),
    ['chat-completions-settings', null],
    ...[...chats].map(([name, chat]) => [`chat-completions-settings/${name}.json`, print(chat)] as const),
    ['dynamic-search-rules', null],
    ...rules.map((rule, i) => [`dynamic-search-rules/${String(i).padStart(9, '0')}.json`, print(rule)] as const),
  ]
}

const jsonMember = (name: string, value: JsonValue): Member[] => (value === null ? [] : [[name, print(value)]])
