import { answerQuestions, stepBack } from '../threads/index.js'
import type { BodyOutcome, BodyQuestion } from './body-protocol.js'
import { BodyReader } from './body-reader.js'

/** The body thread. It steps back: who sends a large body waits longer than who searches. */
stepBack()
const reader = new BodyReader()
answerQuestions<BodyQuestion, BodyOutcome>({ answer: (question) => reader.answer(question), given: memoryOf })

/** Bytes are given away, not copied, unless they are so few that they share memory with others. */
function memoryOf(outcome: BodyOutcome): ArrayBuffer[] {
  const bytes = outcome?.ok ? bytesOf(outcome.value) : undefined
  if (bytes === undefined || bytes.byteLength < bytes.buffer.byteLength) return []
  return [bytes.buffer as ArrayBuffer]
}

function bytesOf(value: Extract<BodyOutcome, { ok: true }>['value']): Uint8Array | undefined {
  if ('records' in value) return value.records
  return 'json' in value ? value.json : undefined
}
