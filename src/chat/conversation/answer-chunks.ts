import { randomUUID } from 'node:crypto'
import { fromPlain, type JsonValue, print } from '../../json/index.js'
import {
  type Choice,
  type Chunk,
  type ChunkHead,
  type Delta,
  printableChoice,
  printableChunk,
} from '../provider/chunk.js'
import { event } from './events.js'
import { type Notification, SPECIAL_TOOLS } from './tools.js'

const NOTHING_SAID: Delta = { role: null, content: null, refusal: null, toolCalls: [] }

/**
 * The chunks of one answer as the client sees them (interface §2.7, §4.7): each says of itself what it has to, also
 * where the provider left it out, and why the answer is over is said at the end, by a chunk that says nothing else.
 */
export class AnswerChunks {
  /** Of the last chunk that was sent: providers that say something once mean it for all. */
  private head: ChunkHead

  constructor(model: string) {
    const created = Math.trunc(Date.now() / 1000)
    this.head = { id: `chatcmpl-${randomUUID()}`, object: 'chat.completion.chunk', created, model }
  }

  /** Empty for a chunk that has nothing to say but that the answer is over. */
  words(chunk: Chunk): string {
    const choice = chunk.choices[0]!
    if (choice.finishReason === null) return this.event(chunk, printableChoice(choice))
    if (!saysSomething(choice)) return ''
    const others = new Map(chunk.others).set('usage', null)
    return this.event({ ...chunk, others }, printableChoice({ ...choice, finishReason: null }))
  }

  /** The end of the answer. `ending` is the chunk with which the provider ended it, if there was one. */
  closing(finishReason: string, ending: Chunk | undefined): string {
    const choice = ending?.choices[0]
    const logprobs = choice === undefined || saysSomething(choice) ? null : choice.logprobs
    const chunk = ending ?? { head: {}, others: new Map() }
    return this.event(chunk, printableChoice({ index: 0, delta: NOTHING_SAID, finishReason, logprobs }))
  }

  /** Tells the client something in the guise of a function that it declared. `argumentsText` is JSON (spec 7 §5.8). */
  notification(template: Chunk, notification: Notification, argumentsText: string): string {
    const called = { name: SPECIAL_TOOLS[notification], arguments: argumentsText }
    const call = { index: 0, id: randomUUID(), type: 'function', function: called }
    const delta = { role: 'assistant', tool_calls: [call] }
    return this.event(template, fromPlain({ index: 0, delta, finish_reason: null, logprobs: null }))
  }

  private event({ head, others }: Pick<Chunk, 'head' | 'others'>, choice: JsonValue): string {
    this.head = { ...this.head, ...head }
    return event(print(printableChunk({ head: this.head, others }, choice)))
  }
}

const saysSomething = ({ delta: { role, content, refusal } }: Choice): boolean => Boolean(role || content || refusal)
