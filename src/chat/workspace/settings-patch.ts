import { ok, type Result } from '../../errors/index.js'
import { maskUrl, unmasked } from '../../secret/index.js'
import {
  type Checked,
  described,
  nullable,
  object,
  oneOf,
  optional,
  refined,
  type Shape,
  text,
} from '../../shape/index.js'
import { isBaseUrl } from './base-url.js'
import { type Prompts, SOURCES, type WorkspaceSettings } from './settings.js'
import { checkSourceRules } from './source-rules.js'

/** Null, or text of nothing but spaces: some clients send every field they know, empty where nothing was set. */
function orNothing<T>(shape: Shape<T>): Shape<T | null> {
  const inner = nullable(shape)
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
  return { ...inner, check: (value, place) => (isBlank(value) ? ok(null) : inner.check(value, place)) }
}

const anyText = orNothing(text)

const source = described(orNothing(oneOf(SOURCES)), { type: ['string', 'null'], enum: [...SOURCES, '', null] })

const baseUrl = orNothing(
  refined(text, (url) =>
    isBaseUrl(url) ? ok(url) : 'an absolute URL that begins with http:// or https:// was expected',
  ),
)

const QUERY_PROMPT = 'invalid_chat_completion_search_query_param_prompt'
const INDEX_PROMPT = 'invalid_chat_completion_search_index_uid_param_prompt'

/** Both spellings of the last two are in use; the long one wins (spec 7 §5.2). */
const promptsShape = (options: Unknown) =>
  refined(
    object(
      {
        system: optional(anyText, 'invalid_chat_completion_system_prompt'),
        searchDescription: optional(anyText, 'invalid_chat_completion_search_description_prompt'),
        searchQParam: optional(anyText, QUERY_PROMPT),
        searchFilterParam: optional(anyText, 'invalid_chat_completion_search_filter_param_prompt'),
        searchIndexUidParam: optional(anyText, INDEX_PROMPT),
        QParam: optional(anyText, QUERY_PROMPT),
        IndexUidParam: optional(anyText, INDEX_PROMPT),
      },
      options,
    ),
    ({ QParam, IndexUidParam, searchQParam, searchIndexUidParam, ...others }) =>
      ok({
        ...others,
        searchQParam: spelled(searchQParam, QParam),
        searchIndexUidParam: spelled(searchIndexUidParam, IndexUidParam),
      }),
  )

/** Undefined where neither spelling was sent, null where nothing but nothing was. */
const spelled = (long: string | null | undefined, short: string | null | undefined): string | null | undefined =>
  long ?? (short === undefined ? long : short)

const settingsShape = (options: Unknown & { readonly url: Shape<string | null> }) =>
  object(
    {
      source: optional(source, 'invalid_chat_completion_source'),
      orgId: optional(anyText, 'invalid_chat_completion_org_id'),
      projectId: optional(anyText, 'invalid_chat_completion_project_id'),
      apiVersion: optional(anyText, 'invalid_chat_completion_api_version'),
      deploymentId: optional(anyText, 'invalid_chat_completion_deployment_id'),
      baseUrl: optional(options.url, 'invalid_chat_completion_base_api'),
      apiKey: optional(anyText, 'invalid_chat_completion_api_key'),
      prompts: optional(nullable(promptsShape(options)), 'invalid_chat_completion_prompts'),
    },
    options,
  )

interface Unknown {
  /** What to do with members that nobody knows. */
  readonly ignoreUnknown: boolean
}

/** Absent members stay as they are, null puts them back to their defaults. */
export const settingsPatch = settingsShape({ ignoreUnknown: false, url: baseUrl })

/** Settings that were written by us or by another version, which took any text for a URL. */
export const storedSettings = settingsShape({ ignoreUnknown: true, url: anyText })

export type SettingsPatch = Partial<Checked<typeof settingsPatch>>

/** The settings with the patch in them, if they fit their source. */
export function patchSettings(settings: WorkspaceSettings, patch: SettingsPatch): Result<WorkspaceSettings> {
  const { prompts = {}, baseUrl, ...others } = patch
  const patched: WorkspaceSettings = {
    ...settings,
    ...withoutUndefined({ ...others, baseUrl: baseUrl && unmasked(baseUrl, settings.baseUrl ?? undefined, maskUrl) }),
    prompts: prompts === null ? {} : patchPrompts(settings.prompts, prompts),
  }
  const checked = checkSourceRules(patched)
  return checked.ok ? ok(patched) : checked
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
