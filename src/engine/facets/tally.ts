import { ValueTally } from '../../columns/index.js'

/** The counts of this thread: what it holds stands until something else is counted. */
export const tally = new ValueTally()
