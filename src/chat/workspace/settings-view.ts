import { fromPlain, type JsonObject } from '../../json/index.js'
import { maskSecret, maskUrl } from '../../secret/index.js'
import { DEFAULT_PROMPTS } from './default-prompts.js'
import type { Prompts, WorkspaceSettings } from './settings.js'

export function promptsOf({ prompts }: Pick<WorkspaceSettings, 'prompts'>): Prompts {
  return { ...DEFAULT_PROMPTS, ...prompts }
}

/** What reading answers: of the key only enough to recognize it, and no password. */
export function shownSettings(settings: WorkspaceSettings): JsonObject {
  const { apiKey } = settings
  return view(withoutPassword(settings), { apiKey: apiKey === null ? null : maskSecret(apiKey) })
}

/** What changing answers: nothing of the key (contract 4.5, 4.6). */
export function changedSettings(settings: WorkspaceSettings): JsonObject {
  return view(withoutPassword(settings), {})
}

function withoutPassword(settings: WorkspaceSettings): WorkspaceSettings {
  const { baseUrl } = settings
  return { ...settings, baseUrl: baseUrl === null ? null : maskUrl(baseUrl) }
}

/** For dumps, with the key in clear. Other servers know no workspace whose source is null, so it is left out. */
export function dumpedSettings(settings: WorkspaceSettings): JsonObject {
  const dumped = view(settings, { apiKey: settings.apiKey })
  if (settings.source === null) dumped.delete('source')
  return dumped
}

function view(settings: WorkspaceSettings, key: { readonly apiKey?: string | null }): JsonObject {
  const { source, orgId, projectId, apiVersion, deploymentId, baseUrl } = settings
  const prompts = promptsOf(settings)
  const members = { source, orgId, projectId, apiVersion, deploymentId, baseUrl, ...key, prompts }
  return fromPlain(members) as JsonObject
}
