import { type ErrorCode, fail, ok, type Result } from '../../errors/index.js'
import { refuse } from '../../shape/index.js'
import { SOURCES, type Source, type WorkspaceSettings } from './settings.js'

type SourceField = 'orgId' | 'projectId' | 'apiVersion' | 'deploymentId' | 'baseUrl' | 'apiKey'

interface FieldRule {
  readonly code: ErrorCode
  readonly neededBy: readonly Source[]
  readonly takenBy: readonly Source[]
}

const AZURE = ['azureOpenAi'] as const

/** In the order of the interface (§2.5): the first broken rule gives its code. */
const RULES: { readonly [Name in SourceField]: FieldRule } = {
  orgId: { code: 'invalid_chat_completion_org_id', neededBy: AZURE, takenBy: AZURE },
  projectId: { code: 'invalid_chat_completion_project_id', neededBy: AZURE, takenBy: AZURE },
  apiVersion: { code: 'invalid_chat_completion_api_version', neededBy: AZURE, takenBy: AZURE },
  deploymentId: { code: 'invalid_chat_completion_deployment_id', neededBy: AZURE, takenBy: AZURE },
  baseUrl: { code: 'invalid_chat_completion_base_api', neededBy: ['azureOpenAi', 'vLlm'], takenBy: SOURCES },
  apiKey: {
    code: 'invalid_chat_completion_api_key',
    neededBy: SOURCES.filter((source) => source !== 'vLlm'),
    takenBy: SOURCES,
  },
}

const FIELDS = Object.keys(RULES) as SourceField[]

/** Whether the fields fit the source: none is missing, and none is there that the source does not take. */
export function checkSourceRules(settings: WorkspaceSettings): Result<undefined> {
  const { source } = settings
  if (source === null) return ok(undefined)
  const broken = FIELDS.find((name) => isMissing(name, source, settings) || isSurplus(name, source, settings))
  if (broken === undefined) return ok(undefined)
  if (isMissing(broken, source, settings)) return refuseMissing(source, settings)
  const takers = RULES[broken].takenBy.map((taker) => `\`${taker}\``).join(', ')
  const reason = `\`.${broken}\`: the source \`${source}\` does not take it, only ${takers} does; null takes it away.`
  return refuse(RULES[broken].code, reason)
}

/** The source, if a conversation can begin: settings of other versions and other servers may lack what it needs. */
export function readySource(settings: WorkspaceSettings): Result<Source> {
  const { source } = settings
  if (source === null) {
    const known = SOURCES.map((name) => `\`${name}\``).join(', ')
    return fail('invalid_chat_completion_source', `The chat workspace has no \`source\`; set one of ${known}.`)
  }
  return FIELDS.some((name) => isMissing(name, source, settings)) ? refuseMissing(source, settings) : ok(source)
}

/** Names all that is missing, with the code of the first. */
function refuseMissing(source: Source, settings: WorkspaceSettings): Result<never> {
  const missing = FIELDS.filter((name) => isMissing(name, source, settings))
  const names = missing.map((name) => `\`${name}\``).join(', ')
  const reason = `A chat workspace with the source \`${source}\` needs values for: ${names}.`
  return refuse(RULES[missing[0]!].code, reason)
}

const isMissing = (name: SourceField, source: Source, settings: WorkspaceSettings): boolean =>
  settings[name] === null && RULES[name].neededBy.includes(source)

const isSurplus = (name: SourceField, source: Source, settings: WorkspaceSettings): boolean =>
  settings[name] !== null && !RULES[name].takenBy.includes(source)
