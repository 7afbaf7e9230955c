import { type Failure, failureSaying } from '../../errors/index.js'
import { maskSecret } from '../../secret/index.js'
import type { Choice, Chunk, Usage } from '../provider/chunk.js'
import { ProviderError } from '../provider/problem.js'
import type { Provider } from '../provider/provider.js'
import type { WorkspaceSettings } from '../workspace/settings.js'
import { promptsOf } from '../workspace/settings-view.js'
import { AnswerChunks } from './answer-chunks.js'
import type { CompletionRequest } from './completion-request.js'
import {
  assistantMessage,
  errorEvent,
  progressArguments,
  STREAM_END,
  STREAM_START,
  sourcesArguments,
  toolMessage,
} from './events.js'
import { ProviderRequest } from './provider-request.js'
import { readArguments, type Search, type SearchOutcome } from './search-call.js'
import { PendingCalls, type ToolCall } from './tool-calls.js'
import { type Notification, type OfferedIndex, searchTool } from './tools.js'

/** Requests to the provider for one answer. */
const MAX_ROUNDS = 20

export interface ConversationOptions {
  readonly request: CompletionRequest
  readonly notifications: ReadonlySet<Notification>
  readonly settings: WorkspaceSettings
  /** The base of the links of errors. */
  readonly errorsUrl: string
  /** In byte order of their uids. */
  readonly indexes: readonly OfferedIndex[]
  readonly provider: Provider
  readonly search: Search
  /** Resolves when there is time for a request to the provider. */
  readonly turn: () => Promise<void>
  /** Aborts when nobody listens any more. */
  readonly signal: AbortSignal
  /** Called once for each request to the provider that told what it cost. */
  readonly onUsage: (usage: Usage) => void
  /** Told of what nobody expected; whoever listens hears that something went wrong, but not what. */
  readonly onSurprise: (error: unknown) => void
  /** Called when it is over, however it ends. */
  readonly onEnd: () => void
}

/**
 * The events of one conversation, as text, at the pace of the reader: asks the model, searches what it asks for, asks
 * again, and forwards what it finally says (spec 7 §5.6). Always ends with the mark of the end, unless it is left.
 *
 * Words pass this one generator: each one more around it would cost as much as the rest of their way.
 */
export async function* converse(options: ConversationOptions): AsyncGenerator<string, void, void> {
  const { provider, signal, turn, onEnd } = options
  try {
    yield STREAM_START
    const conversation = new Conversation(options)
    for (let round = 0; round < MAX_ROUNDS && !conversation.isOver; round++) {
      await turn()
      for await (const chunks of provider.answer(conversation.nextRequest(), signal)) {
        for (const event of conversation.hear(chunks)) {
          if (typeof event === 'string') yield event
          else yield* conversation.runCalls(event)
        }
      }
      yield* conversation.endRound()
    }
    if (!signal.aborted) yield conversation.closing()
  } catch (error) {
    yield errorEvent(toFailure(error, options), options.errorsUrl)
  } finally {
    onEnd()
  }
  yield STREAM_END
}

/** Searches that the model wants, and a chunk to model events on. */
interface WantedCalls {
  readonly calls: readonly ToolCall[]
  readonly template: Chunk
}

class Conversation {
  private readonly request: ProviderRequest
  private readonly chunks: AnswerChunks
  private heard = nothingHeard()
  private messagesBefore = 0
  private isFinished = false

  constructor(private readonly options: ConversationOptions) {
    const { request, settings, indexes } = options
    const tool = searchTool(promptsOf(settings), indexes)
    this.request = new ProviderRequest({ request, settings, tool })
    this.chunks = new AnswerChunks(request.model)
  }

  /** The model has said all it wants to, or nobody listens. */
  get isOver(): boolean {
    return this.isFinished || this.options.signal.aborted
  }

  /** JSON text. */
  nextRequest(): string {
    this.heard = nothingHeard()
    this.messagesBefore = this.request.messageCount
    return this.request.text()
  }

  /** Chunks that came together are forwarded together, up to the next call. */
  *hear(chunks: readonly Chunk[]): Generator<string | WantedCalls, void, void> {
    const { pending } = this.heard
    let words = ''
    for (const chunk of chunks) {
      const choice = note(chunk, this.heard)
      if (choice === undefined) continue
      if (choice.delta.toolCalls.length === 0 && pending.isEmpty) {
        words += this.chunks.words(chunk)
        continue
      }
      if (words !== '') yield words
      words = ''
      if (choice.delta.toolCalls.length > 0) pending.add(choice.delta.toolCalls)
      else yield { calls: pending.take(), template: chunk }
    }
    if (words !== '') yield words
  }

  async *endRound(): AsyncGenerator<string, void, void> {
    const { pending, last, finishReason, usage } = this.heard
    if (usage !== null) this.options.onUsage(usage)
    if (last !== undefined && !pending.isEmpty) yield* this.runCalls({ calls: pending.take(), template: last })
    const hasSearched = this.request.messageCount > this.messagesBefore
    this.isFinished = finishReason !== 'tool_calls' && !(hasSearched && isEnd(finishReason))
  }

  /** The last chunk. A model that was not allowed to search any more is at its end as well. */
  closing(): string {
    const { finishReason, ending } = this.heard
    return this.chunks.closing(finishReason === null || finishReason === 'tool_calls' ? 'stop' : finishReason, ending)
  }

  async *runCalls({ calls, template }: WantedCalls): AsyncGenerator<string, void, void> {
    if (calls.length > 0) this.request.append(assistantMessage(calls))
    for (const call of calls) {
      if (this.options.signal.aborted) return
      yield* this.runCall(call, template)
    }
  }

  /** The steps of a search, in the order of their events (spec 7 §5.7). */
  private async *runCall(call: ToolCall, template: Chunk): AsyncGenerator<string, void, void> {
    yield* this.notify(template, 'progress', () => progressArguments(call))
    yield* this.notify(template, 'append', () => assistantMessage([call]))
    const read = readArguments(call)
    const outcome = read.ok ? await this.options.search(read.wanted) : undefined
    if (outcome !== undefined && outcome.kind !== 'failed') {
      const documents = outcome.kind === 'found' ? outcome.documents : '[]'
      yield* this.notify(template, 'sources', () => sourcesArguments(call, documents))
    }
    const message = toolMessage(call, read.ok ? answerText(outcome!) : read.reason)
    this.request.append(message)
    yield* this.notify(template, 'append', () => message)
    if (outcome?.kind === 'failed') yield errorEvent(outcome.failure, this.options.errorsUrl)
  }

  private *notify(template: Chunk, notification: Notification, argumentsText: () => string): Generator<string> {
    if (!this.options.notifications.has(notification)) return
    yield this.chunks.notification(template, notification, argumentsText())
  }
}

/** Some providers say that they are at the end where they wait for the results of a search. */
const isEnd = (finishReason: string | null): boolean => finishReason === null || finishReason === 'stop'

/** What is known of an answer so far. */
interface AnswerProgress {
  readonly pending: PendingCalls
  /** The last chunk with a choice. */
  last: Chunk | undefined
  /** The one that says why the answer is over. */
  ending: Chunk | undefined
  finishReason: string | null
  usage: Usage | null
}

const nothingHeard = (): AnswerProgress => ({
  pending: new PendingCalls(),
  last: undefined,
  ending: undefined,
  finishReason: null,
  usage: null,
})

/** The choice of a chunk; those without, which tell of the usage, are not forwarded. */
function note(chunk: Chunk, heard: AnswerProgress): Choice | undefined {
  heard.usage = chunk.usage ?? heard.usage
  const choice = chunk.choices[0]
  if (choice === undefined) return undefined
  heard.last = chunk
  if (choice.finishReason !== null) {
    heard.ending = chunk
    heard.finishReason = choice.finishReason
  }
  return choice
}

function answerText(outcome: SearchOutcome): string {
  if (outcome.kind === 'found') return outcome.text
  return outcome.kind === 'problem' ? outcome.message : `The search failed: ${outcome.failure.message}`
}

function toFailure(error: unknown, { settings, onSurprise }: ConversationOptions): Failure {
  if (error instanceof ProviderError) return quotable(error.failure, settings)
  onSurprise(error)
  return failureSaying('internal', 'The conversation failed inside the server; its log says more.')
}

const MAX_QUOTED_CHARACTERS = 2000

/** Some providers quote the key that they refuse, and some talk without end. */
function quotable({ code, message }: Failure, { apiKey }: WorkspaceSettings): Failure {
  const clean = apiKey === null ? message : message.replaceAll(apiKey, maskSecret(apiKey))
  const isLong = clean.length > MAX_QUOTED_CHARACTERS
  return failureSaying(code, isLong ? `${clean.slice(0, MAX_QUOTED_CHARACTERS)}…` : clean)
}
