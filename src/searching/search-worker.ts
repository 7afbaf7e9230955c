import { workerData } from 'node:worker_threads'
import type { Waitable } from '../engine/index.js'
import { answerQuestions, giveNotice } from '../threads/index.js'
import { OrderAbandoned } from './order-budget.js'
import { SearchExecutor } from './search-executor.js'
import type { Answer, ThreadNotice, ThreadOutcome, ThreadQuestion, ThreadSetup } from './search-protocol.js'
import { ThreadSignals } from './thread-signals.js'

/** A search thread: requests in the order in which they came; one that waits for others lets the next ones pass. */
const setup = workerData as ThreadSetup
const signals = new ThreadSignals(setup.signals)
const executor = new SearchExecutor(setup.options, (cutoffMs) => giveNotice<ThreadNotice>({ cutoffMs }))
answerQuestions<ThreadQuestion, ThreadOutcome>({ answer, given: memoryOf })

function answer(question: ThreadQuestion, id: number): Waitable<ThreadOutcome> {
  if (signals.isAbandoned(id)) return 'dropped'
  try {
    const handled = handle(id, question)
    return handled instanceof Promise ? handled.catch(dropped) : handled
  } catch (error) {
    return dropped(error)
  }
}

function dropped(error: unknown): 'dropped' {
  if (error instanceof OrderAbandoned) return 'dropped'
  throw error
}

function handle(id: number, question: ThreadQuestion): Waitable<Answer> {
  switch (question.ask) {
    case 'run': {
      const answered = executor.run(question.order, {
        isAbandoned: () => signals.isAbandoned(id),
        beat: () => signals.beat(),
      })
      void executor.closeSurplus()
      return answered
    }
    case 'inspect':
      return executor.inspect(question.kind, question.bytes)
    case 'checkFilter':
      return executor.checkFilter(question.filter, question.gates)
    case 'release':
      return executor.release(question.path) as Promise<undefined>
    case 'start':
      return undefined
    case 'close':
      return executor.closeAll() as Promise<undefined>
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
  if (outcome === 'dropped' || !outcome?.ok || outcome.value === undefined || !('bytes' in outcome.value)) return []
  const { bytes } = outcome.value
  return bytes.length > COPIED_BYTES ? [bytes.buffer as ArrayBuffer] : []
}
