import type { JsonObject, SettingName, Settings } from './model.js'

/** The server keeps these as sets: another order is no change. */
const SETS: ReadonlySet<SettingName> = new Set([
  'sortableAttributes',
  'stopWords',
  'nonSeparatorTokens',
  'separatorTokens',
  'dictionary',
])

export function differences(saved: Settings, draft: Settings): SettingName[] {
  return (Object.keys(saved) as SettingName[]).filter((name) => !isSameSetting(name, saved[name], draft[name]))
}

function isSameSetting(name: SettingName, a: unknown, b: unknown): boolean {
  if (a === b) return true
  return SETS.has(name) ? isSame([...(a as string[])].sort(), [...(b as string[])].sort()) : isSame(a, b)
}

/** As values of JSON, whatever the order of their keys. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || canonical(a) === canonical(b)

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body of the one request: only what differs. The server merges embedders and chat, so what is gone is named (spec 4 §1.5). */
export function patchOf(saved: Settings, draft: Settings): Record<string, unknown> {
  return Object.fromEntries(differences(saved, draft).map((name) => [name, changeOf(name, saved[name], draft[name])]))
}

/** On each level, into which names the server merges; everything else it replaces. */
const MERGED: Partial<Record<SettingName, readonly ((name: string) => boolean)[]>> = {
  embedders: [() => true, (name) => /^(indexingFragments|searchFragments|indexingEmbedder)$/.test(name)],
  chat: [(name) => name === 'searchParameters'],
}

function changeOf(name: SettingName, saved: unknown, draft: unknown): unknown {
  const levels = MERGED[name]
  return levels !== undefined && isObject(saved) && isObject(draft) ? mergeOf(saved, draft, levels) : draft
}

function mergeOf(saved: JsonObject, draft: JsonObject, levels: readonly ((name: string) => boolean)[]): JsonObject {
  const [isMerged, ...deeper] = levels
  const names = new Set([...Object.keys(saved), ...Object.keys(draft)])
  const changed = [...names].filter((name) => !isSame(saved[name], draft[name]))
  return Object.fromEntries(
    changed.map((name) => {
      const [before, after] = [saved[name], draft[name]]
      if (after === undefined) return [name, null]
      const goesOn = isMerged?.(name) && isObject(before) && isObject(after)
      return [name, goesOn ? mergeOf(before, after, deeper) : after]
    }),
  )
}
