import { randomUUID } from 'node:crypto'
import { errorBody, type Failure } from '../../errors/index.js'
import type { ToolCall } from './tool-calls.js'
import { SEARCH_TOOL } from './tools.js'

/** The text of the stream before the first event: clients wait this many milliseconds before they come again. */
export const STREAM_START = 'retry: 10000\n\n'
export const STREAM_END = 'data: [DONE]\n\n'

export const event = (json: string): string => `data: ${json}\n\n`

/** The error object of every other answer, inside of a stream (interface §2.3, §7). */
export const errorEvent = (failure: Failure, errorsUrl: string): string =>
  event(JSON.stringify({ event_id: randomUUID(), type: 'error', error: errorBody(failure, errorsUrl) }))

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
