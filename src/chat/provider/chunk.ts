import { Float, isObject, type JsonObject, type JsonValue, kindOf, parse } from '../../json/index.js'
import { type ProviderError, providerError, toldBy } from './problem.js'

/** A piece of an answer of the model. */
export interface Chunk {
  /** What it says of itself; not all providers say everything. */
  readonly head: Partial<ChunkHead>
  /** Members that are forwarded as they are, null where absent: `usage` and so on. */
  readonly others: JsonObject
  readonly choices: readonly Choice[]
  readonly usage: Usage | null
}

/** What every chunk that is sent to a client begins with (interface §2.7). */
export interface ChunkHead {
  readonly id: string
  readonly object: string
  /** In Unix seconds, an integer. */
  readonly created: number
  readonly model: string
}

export interface Choice {
  readonly index: number
  readonly delta: Delta
  readonly finishReason: string | null
  readonly logprobs: JsonValue
}

export interface Delta {
  readonly role: string | null
  readonly content: string | null
  readonly refusal: string | null
  readonly toolCalls: readonly CallPiece[]
}

/** A part of a call of a function: the first one names it, the others go on with its arguments. */
export interface CallPiece {
  readonly index: number
  readonly id: string | null
  readonly name: string | null
  readonly arguments: string
}

/** In tokens. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
  readonly total: number
}

const AFTER_CHOICES = ['service_tier', 'system_fingerprint', 'usage']

/** Reads the data of an event; throws a `ProviderError` when it is none, or tells of an error. */
export function readChunk(data: string): Chunk {
  const parsed = parse(data)
  if (!parsed.ok) throw unreadable(`it is not JSON: ${parsed.reason}`)
  const chunk = objectAt(parsed.value, 'the chunk')
  const told = toldBy(chunk)
  if (told !== undefined) throw told
  return {
    head: readHead(chunk),
    others: new Map(AFTER_CHOICES.map((name) => [name, chunk.get(name) ?? null])),
    choices: listAt(chunk.get('choices'), '`choices`').map((choice) => readChoice(objectAt(choice, 'a choice'))),
    usage: readUsage(chunk.get('usage')),
  }
}

/** Members of another type count as left out: nothing depends on them. */
function readHead(chunk: JsonObject): Partial<ChunkHead> {
  const [id, object, model] = ['id', 'object', 'model'].map((name) => chunk.get(name))
  const created = secondsOf(chunk.get('created'))
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof object === 'string' ? { object } : {}),
    ...(created === undefined ? {} : { created }),
    ...(typeof model === 'string' ? { model } : {}),
  }
}

function secondsOf(created: JsonValue | undefined): number | undefined {
  const seconds = created instanceof Float ? Math.trunc(created.value) : created
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) ? seconds : undefined
}

function readChoice(choice: JsonObject): Choice {
  const index = choice.get('index')
  return {
    index: typeof index === 'number' ? index : 0,
    delta: readDelta(objectAt(choice.get('delta') ?? new Map(), '`delta`')),
    // Some providers write an empty text where others write null.
    finishReason: textAt(choice.get('finish_reason'), '`finish_reason`') || null,
    logprobs: choice.get('logprobs') ?? null,
  }
}

function readDelta(delta: JsonObject): Delta {
  return {
    role: textAt(delta.get('role'), '`role`'),
    content: readContent(delta.get('content')),
    refusal: textAt(delta.get('refusal'), '`refusal`'),
    toolCalls: listAt(delta.get('tool_calls'), '`tool_calls`').map((call, i) =>
      readCallPiece(objectAt(call, 'a tool call'), i),
    ),
  }
}

/** Some providers send parts; what is no text is not for reading (spec 7 §5.8). */
function readContent(content: JsonValue | undefined): string | null {
  if (!Array.isArray(content)) return textAt(content, '`content`')
  const texts = content.flatMap((part) => {
    const text = isObject(part) && part.get('type') === 'text' ? part.get('text') : undefined
    return typeof text === 'string' ? [text] : []
  })
  return texts.length === 0 ? null : texts.join('')
}

/** Calls without a number are told apart by their place. */
function readCallPiece(call: JsonObject, place: number): CallPiece {
  const index = call.get('index') ?? place
  if (typeof index !== 'number') throw unexpected('the `index` of a tool call', 'an integer', index)
  const called = objectAt(call.get('function') ?? new Map(), '`function`')
  return {
    index,
    id: textAt(call.get('id'), 'the `id` of a tool call'),
    name: textAt(called.get('name'), 'the `name` of a function'),
    arguments: textAt(called.get('arguments'), 'the `arguments` of a function') ?? '',
  }
}

function readUsage(usage: JsonValue | undefined): Usage | null {
  if (!isObject(usage)) return null
  const tokens = (name: string): number => {
    const count = usage.get(name)
    return typeof count === 'number' && count > 0 ? count : 0
  }
  return { prompt: tokens('prompt_tokens'), completion: tokens('completion_tokens'), total: tokens('total_tokens') }
}

function objectAt(value: JsonValue, where: string): JsonObject {
  if (isObject(value)) return value
  throw unexpected(where, 'an object', value)
}

function listAt(value: JsonValue | undefined, where: string): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw unexpected(where, 'an array', value)
}

function textAt(value: JsonValue | undefined, where: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  throw unexpected(where, 'a string', value)
}

const unexpected = (where: string, expected: string, found: JsonValue): ProviderError =>
  unreadable(`${where} must be ${expected}, not ${kindOf(found)}`)

const unreadable = (reason: string): ProviderError =>
  providerError('remote_bad_response', `The provider sent a chunk that cannot be read: ${reason}.`)

/** What a chunk says besides its choice. */
export interface ChunkFrame {
  readonly head: ChunkHead
  readonly others: JsonObject
}

/** The chunk as it is sent to the client, in the usual order (spec 7 §5.8). `others` that are absent are null. */
export function printableChunk({ head, others }: ChunkFrame, choice: JsonValue): JsonObject {
  return new Map<string, JsonValue>([
    ...Object.entries(head),
    ['choices', [choice]],
    ...AFTER_CHOICES.map((name): [string, JsonValue] => [name, others.get(name) ?? null]),
  ])
}

export function printableChoice({ index, delta, finishReason, logprobs }: Choice): JsonObject {
  const { role, content, refusal } = delta
  const given = Object.entries({ role, content, refusal }).filter(([, value]) => value !== null)
  return new Map<string, JsonValue>([
    ['index', index],
    ['delta', new Map<string, JsonValue>(given)],
    ['finish_reason', finishReason],
    ['logprobs', logprobs],
  ])
}
