import { fail, ok, type Result } from '../../errors/index.js'
import { type Source, sourceOf, type WorkspaceSettings } from '../workspace/settings.js'

/** Where the requests of a workspace go, and what they carry besides their body. */
export interface Endpoint {
  /** What stands before `/chat/completions`. */
  readonly baseUrl: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

const BASES = {
  openAi: 'https://api.openai.com/v1',
  mistral: 'https://api.mistral.ai/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
} as const

/** Refuses a workspace that lacks the key of its source (spec 7 §5.2, §5.5). */
export function endpointOf(settings: WorkspaceSettings): Result<Endpoint> {
  const { apiKey } = settings
  const source = sourceOf(settings)
  if (apiKey === null && source !== 'vLlm') {
    const reason = `The chat workspace has the source \`${source}\`, which needs an \`apiKey\`, and has none.`
    return fail('invalid_chat_completion_api_key', reason)
  }
  return ok(source === 'azureOpenAi' ? azureEndpoint(settings, apiKey ?? '') : plainEndpoint(settings, source))
}

function plainEndpoint({ baseUrl, apiKey }: WorkspaceSettings, source: Source): Endpoint {
  const known = source in BASES ? BASES[source as keyof typeof BASES] : ''
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
  return { baseUrl: withoutSlash(baseUrl ?? known), query: {}, headers }
}

function azureEndpoint(
  { baseUrl, deploymentId, apiVersion, orgId, projectId }: WorkspaceSettings,
  key: string,
): Endpoint {
  return {
    baseUrl: `${withoutSlash(baseUrl ?? '')}/openai/deployments/${encodeURIComponent(deploymentId ?? '')}`,
    query: { 'api-version': apiVersion ?? '' },
    headers: { 'api-key': key, 'openai-organization': orgId ?? '', 'openai-project': projectId ?? '' },
  }
}

const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url)
