import { parentPort, workerData } from 'node:worker_threads'
import type { Waitable } from '../../search/index.js'
import { toProblem } from '../../tasks/index.js'
import { type DeskOptions, SearchDesk } from './search-desk.js'
import type { ThreadOutcome, ThreadQuestion, ThreadReply, ThreadRequest } from './search-protocol.js'

/** A search thread: requests in the order in which they came; one that waits for others lets the next ones pass. */
const port = parentPort!
const desk = new SearchDesk(workerData as DeskOptions, (cutoffMs) => reply({ is: 'cutoff', cutoffMs }))

const reply = (message: ThreadReply, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

port.on('message', async ({ id, question }: ThreadRequest) => {
  try {
    const handled = handle(question)
    const outcome = handled instanceof Promise ? await handled : handled
    reply({ id, is: 'outcome', outcome }, memoryOf(outcome))
  } catch (error) {
    reply({ id, is: 'problem', problem: toProblem(error) })
  }
})

function handle(question: ThreadQuestion): Waitable<ThreadOutcome> {
  switch (question.ask) {
    case 'run': {
      const answered = desk.run(question.order)
      void desk.closeSurplus()
      return answered
    }
    case 'inspect':
      return desk.inspect(question.kind, question.bytes)
    case 'release':
      return desk.release(question.path) as Promise<undefined>
    case 'start':
      return undefined
    case 'close':
      return desk.closeAll() as Promise<undefined>
  }
}

/** A finished answer is given away, not copied. */
function memoryOf(outcome: ThreadOutcome): ArrayBuffer[] {
  if (outcome === undefined || !outcome.ok || !('body' in outcome.value)) return []
  return [outcome.value.body.buffer as ArrayBuffer]
}
