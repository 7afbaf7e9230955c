/** Which thread goes first, when there are more of them than cores; and when the work of one has to stop. */

export { BudgetSpent, checkBudget, spendAtMost, type WorkBudget, workOn } from './budget.js'
export { compilersStepBack, findCompilers } from './compilers.js'
export { JobCancelled } from './job-cancelled.js'
export { stepBack } from './priority.js'
