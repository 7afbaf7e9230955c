import { randomUUID } from 'node:crypto'
import { fromPlain, print } from '../../json/index.js'
import { type Chunk, printableChoice, printableChunk } from '../provider/chunk.js'
import type { ChatProblem } from '../provider/problem.js'
import type { ToolCall } from './tool-calls.js'
import { type Notification, SEARCH_TOOL, SPECIAL_TOOLS } from './tools.js'

/** The text of the stream before the first event: clients wait this many milliseconds before they come again. */
export const STREAM_START = 'retry: 10000\n\n'
export const STREAM_END = 'data: [DONE]\n\n'

const event = (json: string): string => `data: ${json}\n\n`

/** A chunk of the provider, for the client. */
export const chunkEvent = (chunk: Chunk): string =>
  event(print(printableChunk(chunk, chunk.choices.map(printableChoice))))

export function errorEvent({ type, code, message, param }: ChatProblem): string {
  const error = { type, code, message, param, event_id: null }
  return event(JSON.stringify({ event_id: randomUUID(), type: 'error', error }))
}

/** Tells the client something in the guise of a function that it declared. `argumentsText` is JSON (spec 7 §5.8). */
export function notificationEvent(template: Chunk, notification: Notification, argumentsText: string): string {
  const called = { name: SPECIAL_TOOLS[notification], arguments: argumentsText }
  const call = { index: 0, id: randomUUID(), type: 'function', function: called }
  const choice = { index: 0, delta: { role: 'assistant', tool_calls: [call] }, finish_reason: null, logprobs: null }
  return event(print(printableChunk(template, [fromPlain(choice)])))
}

export function progressArguments({ id, argumentsText }: ToolCall): string {
  return JSON.stringify({ call_id: id, function_name: SEARCH_TOOL, function_arguments: argumentsText })
}

/** `documents` is the JSON text of a list. */
export const sourcesArguments = ({ id }: ToolCall, documents: string): string =>
  `{"call_id":${JSON.stringify(id)},"sources":${documents}}`

/** JSON text of the message with which the model calls functions. */
export function assistantMessage(calls: readonly ToolCall[]): string {
  const tool_calls = calls.map(({ id, argumentsText }) => ({
    id,
    type: 'function',
    function: { name: SEARCH_TOOL, arguments: argumentsText },
  }))
  return JSON.stringify({ role: 'assistant', tool_calls })
}

/** JSON text of the message that answers a call. */
export const toolMessage = ({ id }: ToolCall, content: string): string =>
  JSON.stringify({ role: 'tool', content, tool_call_id: id })
