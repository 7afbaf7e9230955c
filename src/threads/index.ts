/**
 * Threads that answer questions; which of them goes first, when there are more than cores; and when the work of one has
 * to stop.
 */

export {
  BlockedAsker,
  BlockingThread,
  type BlockingThreadData,
  FIRST_OWN_CELL,
  type StartBlockingThread,
} from './blocking-thread.js'
export { BudgetSpent, checkBudget, spendAtMost, type WorkBudget, workOn } from './budget.js'
export { IdleCollection } from './idle-collection.js'
export { JobCancelled } from './job-cancelled.js'
export { stepBack } from './priority.js'
export { type Problem, toError, toProblem } from './problem.js'
export { answerQuestions, giveNotice } from './questions.js'
export { WorkerThread } from './worker-thread.js'
