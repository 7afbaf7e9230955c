import { parentPort, workerData } from 'node:worker_threads'
import type { Waitable } from '../engine/index.js'
import { toProblem } from '../tasks/index.js'
import { OrderAbandoned } from './order-budget.js'
import { SearchDesk } from './search-desk.js'
import type { ThreadOutcome, ThreadQuestion, ThreadReply, ThreadRequest, ThreadSetup } from './search-protocol.js'
import { ThreadSignals } from './thread-signals.js'

/** A search thread: requests in the order in which they came; one that waits for others lets the next ones pass. */
const port = parentPort!
const setup = workerData as ThreadSetup
const signals = new ThreadSignals(setup.signals)
const desk = new SearchDesk(setup.options, (cutoffMs) => reply({ is: 'cutoff', cutoffMs }))

const reply = (message: ThreadReply, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

port.on('message', async ({ id, question }: ThreadRequest) => {
  try {
    if (signals.isAbandoned(id)) throw new OrderAbandoned()
    const handled = handle(id, question)
    const outcome = handled instanceof Promise ? await handled : handled
    reply({ id, is: 'outcome', outcome }, memoryOf(outcome))
  } catch (error) {
    reply(error instanceof OrderAbandoned ? { id, is: 'dropped' } : { id, is: 'problem', problem: toProblem(error) })
  }
})

function handle(id: number, question: ThreadQuestion): Waitable<ThreadOutcome> {
  switch (question.ask) {
    case 'run': {
      const answered = desk.run(question.order, {
        isAbandoned: () => signals.isAbandoned(id),
        beat: () => signals.beat(),
      })
      void desk.closeSurplus()
      return answered
    }
    case 'inspect':
      return desk.inspect(question.kind, question.bytes)
    case 'checkFilter':
      return desk.checkFilter(question.filter, question.gates)
    case 'release':
      return desk.release(question.path) as Promise<undefined>
    case 'start':
      return undefined
    case 'close':
      return desk.closeAll() as Promise<undefined>
  }
}

/** Up to this size bytes are copied. */
const COPIED_BYTES = 1 << 20

/**
 * What is given away. Answers are not: once a thread has given memory away, all its loops over typed arrays are slower
 * (docs/decisions/001-bitmaps.md). A very large request that was looked at goes back as it is, since the server thread
 * would have to copy it.
 */
function memoryOf(outcome: ThreadOutcome): ArrayBuffer[] {
  if (!outcome?.ok || outcome.value === undefined || !('bytes' in outcome.value)) return []
  const { bytes } = outcome.value
  return bytes.length > COPIED_BYTES ? [bytes.buffer as ArrayBuffer] : []
}
