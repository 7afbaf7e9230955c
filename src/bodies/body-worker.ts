import { parentPort } from 'node:worker_threads'
import { toProblem } from '../tasks/index.js'
import { stepBack } from '../threads/index.js'
import { BodyDesk } from './body-desk.js'
import type { BodyOutcome, BodyReply, BodyRequest } from './body-protocol.js'

/** The body thread. It steps back: who sends a large body waits longer than who searches. */
stepBack()
const port = parentPort!
const desk = new BodyDesk()

const reply = (message: BodyReply, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

port.on('message', ({ id, question }: BodyRequest) => {
  try {
    const outcome = desk.answer(question)
    reply({ id, is: 'outcome', outcome }, memoryOf(outcome))
  } catch (error) {
    reply({ id, is: 'problem', problem: toProblem(error) })
  }
})

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
