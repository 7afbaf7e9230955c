import { failureSaying } from '../../errors/index.js'
import { print } from '../../json/index.js'
import { ProviderError } from '../provider/problem.js'
import type { Source, WorkspaceSettings } from '../workspace/settings.js'
import { promptsOf } from '../workspace/settings-view.js'
import type { CompletionRequest } from './completion-request.js'

/** More than any model reads; what a model asks for again and again must not fill the memory. */
const MAX_CHARACTERS = 64 * 1024 * 1024

export interface ProviderRequestOptions {
  readonly request: CompletionRequest
  readonly settings: WorkspaceSettings
  /** JSON text of the search tool. */
  readonly tool: string
}

/** The body that is sent to the provider, growing with the conversation (spec 7 §5.5). Messages are printed once. */
export class ProviderRequest {
  private readonly start: string
  private readonly messages: string[] = []
  private characters = 0

  constructor({ request, settings, tool }: ProviderRequestOptions) {
    const { source } = settings
    const options = takesUsage(source) ? ',"stream_options":{"include_usage":true}' : ''
    const forwarded = print(new Map([['model', request.model], ...request.forwarded]))
    this.start = `${forwarded.slice(0, -1)},"stream":true${options},"tools":[${tool}],"messages":[`
    this.append(JSON.stringify({ role: systemRole(source, request.model), content: promptsOf(settings).system }))
    for (const message of request.messages) this.append(print(message))
  }

  get messageCount(): number {
    return this.messages.length
  }

  /** `message` is JSON text. */
  append(message: string): void {
    this.messages.push(message)
    this.characters += message.length
    if (this.characters <= MAX_CHARACTERS) return
    const reason = `The conversation is longer than ${MAX_CHARACTERS} characters.`
    throw new ProviderError(failureSaying('payload_too_large', reason))
  }

  /** JSON text. */
  text(): string {
    return `${this.start}${this.messages.join(',')}]}`
  }
}

const takesUsage = (source: Source | null): boolean => source === 'openAi' || source === 'azureOpenAi'

/** Models that know no other role for instructions: alone, or with something after a hyphen. */
const SYSTEM_MODELS = ['gpt-3.5', 'gpt-4', 'gpt-4.1', 'gpt-4.5', 'gpt-4o', 'chatgpt-4o']

function systemRole(source: Source | null, model: string): 'system' | 'developer' {
  if (!takesUsage(source)) return 'system'
  return SYSTEM_MODELS.some((known) => model === known || model.startsWith(`${known}-`)) ? 'system' : 'developer'
}
