import { fail, ok, quoted, type Result } from '../../errors/index.js'
import { isObject, type JsonObject, type JsonValue, wrongType } from '../../json/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  double,
  jsonObject,
  type Members,
  missingField,
  nullable,
  object,
  oneOf,
  optional,
  type Place,
  refined,
  refuse,
  required,
  type Shape,
  text,
  uint,
  wrongValue,
} from '../../shape/index.js'
import { type Notification, SEARCH_TOOL, SPECIAL_TOOLS } from './tools.js'

const CODE = 'bad_request'
const maybe = <T>(shape: Shape<T>) => optional(nullable(shape), CODE)
const needed = <T>(shape: Shape<T>) => required(shape, CODE, CODE)
const LOOSE = { ignoreUnknown: true }

const byte: Shape<number> = refined(
  uint,
  (value) => (value <= 255 ? ok(value) : `an integer from 0 to 255 was expected, ${value} was found`),
  { maximum: 255 },
)

const integer: Shape<JsonValue> = {
  expected: 'an integer',
  describe: () => ({ type: 'integer' }),
  check: (value, place) =>
    typeof value === 'number' || typeof value === 'bigint'
      ? ok(value)
      : refuse(place.code, wrongType(place.path, 'an integer', value)),
}

/** Text, or something else. */
function textOr<T>(other: Shape<T>): Shape<string | T> {
  return {
    expected: `a string or ${other.expected}`,
    describe: (names) => ({ anyOf: [text.describe(names), other.describe(names)] }),
    check: (value, place) => (typeof value === 'string' ? ok(value) : other.check(value, place)),
  }
}

const PART_TYPES = ['text', 'refusal'] as const
const content = textOr(arrayOf(object({ type: needed(oneOf(PART_TYPES)) }, LOOSE)))

const calledFunction = object({ name: needed(text), arguments: needed(text) }, LOOSE)
const toolCall = object({ id: needed(text), function: needed(calledFunction) }, LOOSE)

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

const anyMessage = object(
  {
    role: needed(oneOf(ROLES)),
    content: maybe(content),
    refusal: maybe(text),
    name: maybe(text),
    tool_calls: maybe(arrayOf(toolCall)),
    tool_call_id: maybe(text),
  },
  LOOSE,
)

/** What people and operators say is text; models may say nothing and call a function instead (interface §2.7). */
const TEXT_ROLES: readonly string[] = ['system', 'user']

const message = refined(anyMessage, (checked, { path, code }) => {
  const { role, content } = checked
  if (!TEXT_ROLES.includes(role) || typeof content === 'string') return ok(checked)
  if (content === undefined) return refuse(code, missingField(path, 'content'))
  const found = content === null ? 'null' : 'an array'
  return refuse(code, wrongValue(`${path}.content`, `a string was expected from the role \`${role}\`, not ${found}`))
})

const messages = refined(
  arrayOf(message),
  (sent) => (sent.length > 0 ? ok(sent) : 'at least one message was expected, none was found'),
  { minItems: 1 },
)

const declaredFunction = object(
  { name: needed(text), description: maybe(text), parameters: maybe(anyJson), strict: maybe(bool) },
  LOOSE,
)
const tool = object({ type: needed(oneOf(['function'])), function: needed(declaredFunction) }, LOOSE)

const namedTool = object(
  { type: needed(oneOf(['function'])), function: needed(object({ name: needed(text) }, LOOSE)) },
  LOOSE,
)

/** What may be sent, and is forwarded; everything else is passed over (spec 7 §5.4). */
const fields = {
  model: needed(text),
  messages: needed(messages),
  // Null is not true, and true is all that it may be.
  stream: optional(bool, CODE),
  n: maybe(byte),
  tools: maybe(arrayOf(tool)),
  tool_choice: maybe(choice(['none', 'auto', 'required'], namedTool)),
  temperature: maybe(double),
  top_p: maybe(double),
  frequency_penalty: maybe(double),
  presence_penalty: maybe(double),
  max_tokens: maybe(uint),
  max_completion_tokens: maybe(uint),
  seed: maybe(integer),
  top_logprobs: maybe(byte),
  logprobs: maybe(bool),
  store: maybe(bool),
  parallel_tool_calls: maybe(bool),
  stop: maybe(textOr(arrayOf(text))),
  user: maybe(text),
  metadata: maybe(anyJson),
  logit_bias: maybe(jsonObject),
  response_format: maybe(object({ type: needed(oneOf(['text', 'json_object', 'json_schema'])) }, LOOSE)),
  reasoning_effort: maybe(oneOf(['low', 'medium', 'high'])),
  service_tier: maybe(oneOf(['auto', 'default'])),
  modalities: maybe(arrayOf(oneOf(['text', 'audio']))),
  audio: maybe(jsonObject),
  prediction: maybe(jsonObject),
  functions: maybe(arrayOf(jsonObject)),
  function_call: maybe(textOr(jsonObject)),
  stream_options: maybe(jsonObject),
}

function choice<T>(choices: readonly string[], other: Shape<T>): Shape<string | T> {
  const chosen = oneOf(choices)
  return {
    expected: `one of ${choices.join(', ')}, or an object`,
    describe: (names) => ({ anyOf: [chosen.describe(names), other.describe(names)] }),
    check: (value, place): Result<string | T> =>
      isObject(value) ? other.check(value, place) : chosen.check(value, place),
  }
}

const body = object(fields, LOOSE)

/** A request whose types were checked. */
export interface CompletionRequest {
  readonly model: string
  /** As they were sent. */
  readonly messages: readonly JsonObject[]
  readonly toolNames: readonly string[]
  readonly choiceCount: number | null
  readonly isStreamed: boolean
  /** Everything else that is for the provider, as it was sent. */
  readonly forwarded: JsonObject
}

export const completionRequest: Shape<CompletionRequest> = {
  expected: 'an object',
  describe: (names) => body.describe(names),
  check(value: JsonValue, place: Place) {
    const checked = body.check(value, place)
    return checked.ok ? ok(toRequest(checked.value, value as JsonObject)) : checked
  },
}

/** Those that the conversation sets itself. `n` is 1 or absent. */
const OWN = new Set(['model', 'messages', 'stream', 'n', 'tools', 'stream_options'])

function toRequest(checked: Members<typeof fields>, sent: JsonObject): CompletionRequest {
  const forwarded = [...sent].filter(([name, value]) => Object.hasOwn(fields, name) && !OWN.has(name) && value !== null)
  return {
    model: checked.model,
    // The shape has seen to it that these are objects.
    messages: sent.get('messages') as JsonObject[],
    toolNames: (checked.tools ?? []).map(({ function: { name } }) => name),
    choiceCount: checked.n ?? null,
    isStreamed: checked.stream ?? true,
    forwarded: new Map(forwarded),
  }
}

/** What no workspace can do; asked before the workspace is looked for. */
export function checkSupported({ choiceCount, isStreamed }: CompletionRequest): Result<undefined> {
  if (choiceCount !== null && choiceCount !== 1) {
    const reason = `\`.n\`: one answer can be given, ${choiceCount} were asked for.`
    return fail('unimplemented_multi_choice_chat_completions', reason)
  }
  if (isStreamed) return ok(undefined)
  return fail(
    'unimplemented_non_streaming_chat_completions',
    '`.stream`: answers can only be streamed, not sent whole.',
  )
}

/** The notifications that the client declared; refuses all other functions. */
export function readNotifications({ toolNames }: CompletionRequest): Result<ReadonlySet<Notification>> {
  if (toolNames.includes(SEARCH_TOOL)) {
    return fail('bad_request', `\`.tools\`: the function \`${SEARCH_TOOL}\` is declared by the server itself.`)
  }
  const known = Object.entries(SPECIAL_TOOLS) as [Notification, string][]
  const foreign = toolNames.find((name) => known.every(([, special]) => special !== name))
  if (foreign !== undefined) {
    const special = known.map(([, name]) => `\`${name}\``).join(', ')
    const reason = `\`.tools\`: the function ${quoted(foreign)} is not one of ${special}`
    return fail('unimplemented_external_function_calling', `${reason}; functions of clients cannot be called.`)
  }
  return ok(new Set(known.filter(([, name]) => toolNames.includes(name)).map(([notification]) => notification)))
}
