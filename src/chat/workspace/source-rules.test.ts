import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NEW_WORKSPACE, SOURCES, type Source, type WorkspaceSettings } from './settings.js'
import { patchSettings, type SettingsPatch } from './settings-patch.js'
import { readySource } from './source-rules.js'

const FIELDS = ['orgId', 'projectId', 'apiVersion', 'deploymentId', 'baseUrl', 'apiKey'] as const
type Field = (typeof FIELDS)[number]

const CODES: { readonly [Name in Field]: string } = {
  orgId: 'invalid_chat_completion_org_id',
  projectId: 'invalid_chat_completion_project_id',
  apiVersion: 'invalid_chat_completion_api_version',
  deploymentId: 'invalid_chat_completion_deployment_id',
  baseUrl: 'invalid_chat_completion_base_api',
  apiKey: 'invalid_chat_completion_api_key',
}

/** Lines 83 to 88 of the interface. */
const TABLE: { readonly [S in Source]: { readonly needs: readonly Field[]; readonly refuses: readonly Field[] } } = {
  openAi: { needs: ['apiKey'], refuses: ['orgId', 'projectId', 'apiVersion', 'deploymentId'] },
  azureOpenAi: { needs: FIELDS, refuses: [] },
  mistral: { needs: ['apiKey'], refuses: ['orgId', 'projectId', 'apiVersion', 'deploymentId'] },
  gemini: { needs: ['apiKey'], refuses: ['orgId', 'projectId', 'apiVersion', 'deploymentId'] },
  vLlm: { needs: ['baseUrl'], refuses: ['orgId', 'projectId', 'apiVersion', 'deploymentId'] },
}

const VALUES: { readonly [Name in Field]: string } = {
  orgId: 'o',
  projectId: 'p',
  apiVersion: 'v',
  deploymentId: 'd',
  baseUrl: 'https://a.example',
  apiKey: 'k',
}

const given = (fields: readonly Field[]): { readonly [Name in Field]?: string } =>
  Object.fromEntries(fields.map((name) => [name, VALUES[name]]))

const outcomeOf = (settings: WorkspaceSettings, patch: SettingsPatch): string => {
  const patched = patchSettings(settings, patch)
  return patched.ok ? 'stored' : patched.failure.code
}

const CASES = SOURCES.flatMap((source) => FIELDS.map((field) => [source, field] as const))

test.each(CASES)('21.2 L83: %s with all it needs, and then without or with %s', (source, field) => {
  const { needs, refuses } = TABLE[source]
  const complete = { source, ...given(needs) }
  expect(outcomeOf(NEW_WORKSPACE, complete)).toBe('stored')
  const without = { ...complete, [field]: null }
  expect(outcomeOf(NEW_WORKSPACE, without)).toBe(needs.includes(field) ? CODES[field] : 'stored')
  const withIt = { ...complete, [field]: VALUES[field] }
  expect(outcomeOf(NEW_WORKSPACE, withIt)).toBe(refuses.includes(field) ? CODES[field] : 'stored')
})

/** The codes of all rules that the settings break. */
function brokenRules({ source, ...fields }: WorkspaceSettings): string[] {
  if (source === null) return []
  const { needs, refuses } = TABLE[source]
  const broken = FIELDS.filter((name) => (fields[name] === null ? needs.includes(name) : refuses.includes(name)))
  return broken.map((name) => CODES[name])
}

const patches = fc.record(
  {
    source: fc.constantFrom(...SOURCES, null),
    ...Object.fromEntries(FIELDS.map((name) => [name, fc.constantFrom(VALUES[name], null)])),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<SettingsPatch>

test('21.2 L83: whatever patches come one after the other, what is stored breaks no rule, and a refusal names a broken one', () => {
  fc.assert(
    fc.property(fc.array(patches, { maxLength: 6 }), (list) => {
      let settings = NEW_WORKSPACE
      for (const patch of list) {
        const wanted = { ...settings, ...patch } as WorkspaceSettings
        const patched = patchSettings(settings, patch)
        const [first] = brokenRules(wanted)
        expect(patched.ok ? undefined : patched.failure.code).toBe(first)
        if (patched.ok) settings = patched.value
        expect(readySource(settings).ok).toBe(settings.source !== null)
      }
    }),
  )
})

test('a conversation does not begin with settings of another server that lack something', () => {
  const codeOf = (settings: Partial<WorkspaceSettings>) => {
    const ready = readySource({ ...NEW_WORKSPACE, ...settings })
    return ready.ok ? ready.value : ready.failure.code
  }
  expect(codeOf({})).toBe('invalid_chat_completion_source')
  expect(codeOf({ source: 'openAi' })).toBe('invalid_chat_completion_api_key')
  expect(codeOf({ source: 'azureOpenAi', apiKey: 'k', baseUrl: 'https://a' })).toBe('invalid_chat_completion_org_id')
  // What it does not need is passed over.
  expect(codeOf({ source: 'openAi', apiKey: 'k', orgId: 'o' })).toBe('openAi')
})
