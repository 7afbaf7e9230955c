import { fail, ok, type Result } from '../../errors/index.js'
import { isBaseUrl } from '../workspace/base-url.js'
import type { Source, WorkspaceSettings } from '../workspace/settings.js'
import { readySource } from '../workspace/source-rules.js'

/** Where the requests of a workspace go, and what they carry besides their body. */
export interface Endpoint {
  /** The whole of it, query included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const BASES: { readonly [S in Source]?: string } = {
  openAi: 'https://api.openai.com/v1',
  mistral: 'https://api.mistral.ai/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
}

/** Refuses a workspace without a source, or without something that its source needs (spec 7 §5.2, §5.5). */
export function endpointOf(settings: WorkspaceSettings): Result<Endpoint> {
  const source = readySource(settings)
  if (!source.ok) return source
  const base = settings.baseUrl ?? BASES[source.value] ?? ''
  if (!isBaseUrl(base)) {
    const reason = 'The `baseUrl` of the chat workspace is not an absolute http or https URL.'
    return fail('invalid_chat_completion_base_api', reason)
  }
  return ok(source.value === 'azureOpenAi' ? azureEndpoint(base, settings) : plainEndpoint(base, settings))
}

function plainEndpoint(base: string, { apiKey }: WorkspaceSettings): Endpoint {
  const authorization = apiKey === null ? null : `Bearer ${apiKey}`
  return { url: completionsUrl(new URL(base)), headers: headersOf({ authorization }) }
}

function azureEndpoint(
  base: string,
  { apiKey, deploymentId, apiVersion, orgId, projectId }: WorkspaceSettings,
): Endpoint {
  const url = new URL(base)
  url.pathname = deploymentPath(url.pathname, deploymentId ?? '')
  url.searchParams.set('api-version', apiVersion ?? '')
  const headers = { 'api-key': apiKey, 'openai-organization': orgId, 'openai-project': projectId }
  return { url: completionsUrl(url), headers: headersOf(headers) }
}

/** Nothing is sent where nothing is set: an empty credential is worse than none. */
function headersOf(values: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

/** People write the address of the resource, or that of the deployment, or something between the two. */
function deploymentPath(path: string, deploymentId: string): string {
  const given = withoutSlash(path)
  if (/\/deployments\/[^/]+$/.test(given)) return given
  return `${given.replace(/\/openai(\/deployments)?$/, '')}/openai/deployments/${encodeURIComponent(deploymentId)}`
}

function completionsUrl(base: URL): string {
  const url = new URL(base)
  url.pathname = `${withoutSlash(url.pathname)}/chat/completions`
  url.hash = ''
  return url.href
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)
