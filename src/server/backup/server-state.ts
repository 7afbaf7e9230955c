import type { ServerState } from '../../backup/index.js'
import { BadArchive } from '../../backup/index.js'
import type { WorkspaceStore } from '../../chat/index.js'
import type { FeaturesConfig } from '../../config/index.js'
import { fromPlain, isObject, type JsonObject, print, toPlain } from '../../json/index.js'
import type { SearchRule } from '../../rank/index.js'
import { parseUuid } from '../../shape/index.js'
import type { KeyStore, NetworkStore } from '../../state/index.js'
import { FEATURES, type FeatureStore, type Features, type RuleStore, readRule, ruleView } from '../../state/index.js'
import type { Clock } from '../../time/index.js'
import type { Webhook, WebhookRegistry } from '../../webhooks/index.js'
import { readDumpedKey } from './dumped-keys.js'

/** Stores of the server that dumps take along, besides indexes and tasks. */
export interface StateStores {
  readonly keys: KeyStore
  readonly features: FeatureStore
  readonly webhooks: WebhookRegistry
  readonly network: NetworkStore
  readonly rules: RuleStore
  readonly chats: WorkspaceStore
}

/** What a dump takes along as of now. */
export function readState(stores: StateStores): Omit<ServerState, 'keys' | 'instanceUid'> {
  const { features, webhooks, network, rules, chats } = stores
  return {
    features: fromPlain(features.current) as JsonObject,
    network: network.view(),
    webhooks: dumpedWebhooks(webhooks.stored()),
    chats: chats.dumped(),
    rules: rules.list().map((rule) => ruleView(rule) as JsonObject),
  }
}

/** Puts the state of a dump in place of what there is (spec 2 §6.3). */
export async function writeState(
  stores: StateStores,
  state: ServerState,
  launch: { readonly features: FeaturesConfig; readonly clock: Clock },
): Promise<void> {
  await stores.webhooks.replaceAll(readWebhooks(state.webhooks))
  await restoreChats(stores.chats, state.chats)
  await stores.keys.replaceAll(readKeys(state.keys, launch.clock))
  await stores.network.restore(state.network)
  await stores.features.change(readFeatures(state.features, launch.features))
  for (const rule of readRules(state.rules)) await stores.rules.put(rule)
}

function dumpedWebhooks(webhooks: readonly Webhook[]): JsonObject {
  const entries = webhooks.map(
    ({ uuid, url, headers }) => [uuid, fromPlain({ url, headers: new Map(headers) })] as const,
  )
  return new Map([['webhooks', new Map(entries)]])
}

function readWebhooks(dumped: JsonObject | null): Webhook[] {
  const webhooks = dumped?.get('webhooks')
  return isObject(webhooks) ? [...webhooks].map(([uuid, webhook]) => readWebhook(uuid, webhook)) : []
}

function readWebhook(text: string, dumped: unknown): Webhook {
  const uuid = parseUuid(text)
  const url = dumped instanceof Map ? dumped.get('url') : undefined
  if (uuid === undefined || typeof url !== 'string') throw new BadArchive(`webhooks.json: ${text} is no webhook`)
  const headers = (dumped as JsonObject).get('headers')
  const pairs = isObject(headers) ? [...headers].filter((pair): pair is [string, string] => isText(pair[1])) : []
  return { uuid, url, headers: new Map(pairs) }
}

const isText = (value: unknown): boolean => typeof value === 'string'

async function restoreChats(chats: WorkspaceStore, dumped: ServerState['chats']): Promise<void> {
  try {
    await chats.restore(dumped)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== undefined) throw cause
    throw new BadArchive(`chat-completions-settings: ${(cause as Error).message}`, { cause })
  }
}

function readRules(dumped: readonly JsonObject[]): SearchRule[] {
  return dumped.map((rule) => {
    const read = readRule(print(rule))
    if (!read.ok)
      throw new BadArchive(`dynamic-search-rules: there is a rule that cannot be read: ${read.failure.message}`)
    return read.value
  })
}

/** The newest stands first in dumps; the store wants the oldest first. */
function readKeys(dumped: readonly JsonObject[], clock: Clock) {
  return dumped
    .map((key) => {
      const read = readDumpedKey(key, clock())
      if (read === undefined) throw new BadArchive('keys.jsonl: there is a line that is no API key')
      return read
    })
    .reverse()
}

/** Absent ones are off, except those that the launch turns on. */
function readFeatures(dumped: JsonObject | null, launch: FeaturesConfig): Features {
  const known = dumped === null ? {} : (toPlain(dumped) as Partial<Record<string, unknown>>)
  const features = Object.fromEntries(FEATURES.map((name) => [name, known[name] === true])) as Features
  return {
    ...features,
    metrics: features.metrics || launch.metrics,
    logsRoute: features.logsRoute || launch.logsRoute,
    containsFilter: features.containsFilter || launch.containsFilter,
    legacySearch: typeof known.legacySearch === 'boolean' ? known.legacySearch : launch.legacySearchDefault,
  }
}
