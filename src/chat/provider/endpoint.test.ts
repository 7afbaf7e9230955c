import { describe, expect, test } from 'vitest'
import { NEW_WORKSPACE, type WorkspaceSettings } from '../workspace/settings.js'
import { endpointOf } from './endpoint.js'

function endpoint(settings: Partial<WorkspaceSettings>) {
  const found = endpointOf({ ...NEW_WORKSPACE, ...settings })
  return found.ok ? found.value : found.failure.code
}

const AZURE = { source: 'azureOpenAi', orgId: 'o', projectId: 'p', apiVersion: 'v 1', apiKey: 'k' } as const
const azureUrl = (baseUrl: string, deploymentId = 'my/gpt') => {
  const found = endpoint({ ...AZURE, baseUrl, deploymentId })
  return typeof found === 'string' ? found : found.url
}

describe('21.3 L87: the base URL of azureOpenAi', () => {
  const deployed = 'https://r.example/openai/deployments/d/chat/completions?api-version=v+1'

  test.each([
    'https://r.example/openai/deployments/d',
    'https://r.example/openai/deployments/d/',
    'HTTPS://r.example/openai/deployments/d',
    'https://r.example/openai/deployments/d?api-version=old#top',
  ])('%s names its deployment and is used as it is', (baseUrl) => {
    expect(azureUrl(baseUrl)).toBe(deployed)
  })

  test.each([
    'https://r.example',
    'https://r.example/',
    'https://r.example/openai',
    'https://r.example/openai/',
    'https://r.example/openai/deployments',
    'https://r.example/openai/deployments/',
  ])('%s gets the path of the deployment, once', (baseUrl) => {
    expect(azureUrl(baseUrl, 'd')).toBe(deployed)
  })

  test('may lie behind a gateway, and its deployment may have any name', () => {
    const suffix = 'chat/completions?api-version=v+1'
    expect(azureUrl('https://gate.example/azure')).toBe(
      `https://gate.example/azure/openai/deployments/my%2Fgpt/${suffix}`,
    )
    expect(azureUrl('https://gate.example/a/openai/deployments/d')).toBe(
      `https://gate.example/a/openai/deployments/d/${suffix}`,
    )
  })
})

test.each([
  ['openAi', 'https://api.openai.com/v1/chat/completions'],
  ['mistral', 'https://api.mistral.ai/v1/chat/completions'],
  ['gemini', 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
] as const)('21.3 L87: %s has a base URL of its own, which can be replaced', (source, url) => {
  const headers = { authorization: 'Bearer k' }
  expect(endpoint({ source, apiKey: 'k' })).toEqual({ url, headers })
  const baseUrl = 'http://proxy.example/v9/?team=a'
  expect(endpoint({ source, apiKey: 'k', baseUrl })).toEqual({
    url: 'http://proxy.example/v9/chat/completions?team=a',
    headers,
  })
})

describe('21.2 L88: a credential', () => {
  test('is not sent where there is none', () => {
    const url = 'http://a.example/chat/completions'
    expect(endpoint({ source: 'vLlm', baseUrl: 'http://a.example' })).toEqual({ url, headers: {} })
    expect(endpoint({ source: 'vLlm', baseUrl: 'http://a.example', apiKey: 'k' })).toEqual({
      url,
      headers: { authorization: 'Bearer k' },
    })
  })

  test('of azureOpenAi comes with organization and project', () => {
    expect(endpoint({ ...AZURE, baseUrl: 'https://r.example', deploymentId: 'd' })).toMatchObject({
      headers: { 'api-key': 'k', 'openai-organization': 'o', 'openai-project': 'p' },
    })
  })
})

test('a base URL that an earlier version took for one is refused', () => {
  for (const baseUrl of ['nonsense', 'ftp://a/b', '//a']) {
    expect(endpoint({ source: 'vLlm', baseUrl })).toBe('invalid_chat_completion_base_api')
  }
})
