import { parentPort } from 'node:worker_threads'
import { toProblem } from '../../tasks/index.js'
import { stepBack } from '../../threads/index.js'
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

/** Bytes are given away, not copied. */
function memoryOf(outcome: BodyOutcome): ArrayBuffer[] {
  if (!outcome?.ok) return []
  if ('records' in outcome.value) return [outcome.value.records.buffer as ArrayBuffer]
  return 'json' in outcome.value ? [outcome.value.json.buffer as ArrayBuffer] : []
}
