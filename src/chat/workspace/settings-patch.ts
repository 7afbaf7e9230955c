import { type ErrorCode, fail, ok, type Result } from '../../errors/index.js'
import { type Checked, nullable, object, oneOf, optional, refined, refuse, text } from '../../shape/index.js'
import { type Prompts, SOURCES, type Source, type WorkspaceSettings } from './settings.js'

const QUERY_PROMPT = 'invalid_chat_completion_search_query_param_prompt'
const INDEX_PROMPT = 'invalid_chat_completion_search_index_uid_param_prompt'

/** Both spellings of the last two are in use; the long one wins (spec 7 §5.2). */
const promptsShape = (options: Unknown) =>
  refined(
    object(
      {
        system: optional(nullable(text), 'invalid_chat_completion_system_prompt'),
        searchDescription: optional(nullable(text), 'invalid_chat_completion_search_description_prompt'),
        searchQParam: optional(nullable(text), QUERY_PROMPT),
        searchFilterParam: optional(nullable(text), 'invalid_chat_completion_search_filter_param_prompt'),
        searchIndexUidParam: optional(nullable(text), INDEX_PROMPT),
        QParam: optional(nullable(text), QUERY_PROMPT),
        IndexUidParam: optional(nullable(text), INDEX_PROMPT),
      },
      options,
    ),
    ({ QParam, IndexUidParam, searchQParam = QParam, searchIndexUidParam = IndexUidParam, ...others }) =>
      ok({ ...others, searchQParam, searchIndexUidParam }),
  )

const settingsShape = (options: Unknown) =>
  object(
    {
      source: optional(nullable(oneOf(SOURCES)), 'bad_request'),
      orgId: optional(nullable(text), 'invalid_chat_completion_org_id'),
      projectId: optional(nullable(text), 'invalid_chat_completion_project_id'),
      apiVersion: optional(nullable(text), 'invalid_chat_completion_api_version'),
      deploymentId: optional(nullable(text), 'invalid_chat_completion_deployment_id'),
      baseUrl: optional(nullable(text), 'invalid_chat_completion_base_api'),
      apiKey: optional(nullable(text), 'invalid_chat_completion_api_key'),
      prompts: optional(nullable(promptsShape(options)), 'bad_request'),
    },
    options,
  )

interface Unknown {
  /** What to do with members that nobody knows. */
  readonly ignoreUnknown: boolean
}

/** Absent members stay as they are, null puts them back to their defaults. */
export const settingsPatch = settingsShape({ ignoreUnknown: false })

/** Settings that were written by us or by another version. */
export const storedSettings = settingsShape({ ignoreUnknown: true })

export type SettingsPatch = Partial<Checked<typeof settingsPatch>>

export function patchSettings(settings: WorkspaceSettings, patch: SettingsPatch): Result<WorkspaceSettings> {
  const { prompts = {}, ...others } = patch
  const patched: WorkspaceSettings = {
    ...settings,
    ...withoutUndefined(others),
    prompts: prompts === null ? {} : patchPrompts(settings.prompts, prompts),
  }
  const checked = patched.source === null ? ok(undefined) : checkFor(patched.source, patched)
  return checked.ok ? ok(patched) : checked
}

/** What the source needs, and what it does not take. */
function checkFor(source: Source, settings: WorkspaceSettings): Result<undefined> {
  const missing = NEEDS[source].filter((name) => settings[name] === null)
  if (missing.length > 0) {
    const names = missing.map((name) => `\`${name}\``).join(', ')
    return fail('bad_request', `A chat workspace with the source \`${source}\` needs values for: ${names}.`)
  }
  const surplus = AZURE_FIELDS.find((name) => settings[name] !== null)
  if (source === 'azureOpenAi' || surplus === undefined) return ok(undefined)
  const reason = `\`.${surplus}\`: the source \`${source}\` does not take it, only \`azureOpenAi\` does`
  return refuse(FIELD_CODES[surplus], `${reason}; null takes it away.`)
}

function withoutUndefined<T extends object>(members: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof T]: Exclude<T[Name], undefined> }
}

type PromptsPatch = { readonly [Name in keyof Prompts]?: string | null | undefined }

function patchPrompts(stored: Partial<Prompts>, patch: PromptsPatch): Partial<Prompts> {
  const patched = Object.entries({ ...stored, ...withoutUndefined(patch) })
  return Object.fromEntries(patched.filter(([, value]) => value !== null))
}

const AZURE_FIELDS = ['orgId', 'projectId', 'apiVersion', 'deploymentId'] as const

const NEEDS: { readonly [S in Source]: readonly (keyof WorkspaceSettings)[] } = {
  openAi: [],
  azureOpenAi: ['baseUrl', 'apiVersion', 'deploymentId', 'orgId', 'projectId'],
  mistral: [],
  gemini: [],
  vLlm: ['baseUrl'],
}

const FIELD_CODES: { readonly [Name in (typeof AZURE_FIELDS)[number]]: ErrorCode } = {
  orgId: 'invalid_chat_completion_org_id',
  projectId: 'invalid_chat_completion_project_id',
  apiVersion: 'invalid_chat_completion_api_version',
  deploymentId: 'invalid_chat_completion_deployment_id',
}
