/** Whose interface a workspace speaks. */
export const SOURCES = ['openAi', 'azureOpenAi', 'mistral', 'gemini', 'vLlm'] as const

export type Source = (typeof SOURCES)[number]

/** What the model is told besides the conversation. */
export interface Prompts {
  readonly system: string
  readonly searchDescription: string
  readonly searchQParam: string
  readonly searchFilterParam: string
  readonly searchIndexUidParam: string
}

/** In the order of answers (spec 7 §5.2). Null for what was never set. */
export interface WorkspaceSettings {
  /** There is no default: as long as it is null nobody can be asked, and the other settings may be anything. */
  readonly source: Source | null
  readonly orgId: string | null
  readonly projectId: string | null
  readonly apiVersion: string | null
  readonly deploymentId: string | null
  readonly baseUrl: string | null
  /** The secret itself: it is shown to nobody but the provider. */
  readonly apiKey: string | null
  /** Those that differ from the defaults, which may change with a new version. */
  readonly prompts: Partial<Prompts>
}

export const NEW_WORKSPACE: WorkspaceSettings = {
  source: null,
  orgId: null,
  projectId: null,
  apiVersion: null,
  deploymentId: null,
  baseUrl: null,
  apiKey: null,
  prompts: {},
}
