import type { Random } from './random.fixture.js'

/** How badly a run goes. */
export interface Faults {
  /** Probability that a request to the log, or its answer, gets lost. */
  lostMessages: number
  /** Of what members tell each other. */
  lostReports: number
  /** Probability that a message takes up to seconds. */
  slowMessages: number
  /** Probability that reading the log stands still for up to fifteen seconds. */
  slowReads: number
  /** Probability that a transaction fails. */
  failedWrites: number
  /** Probability that a batch fails on one server, or is stopped by a cancelation. */
  failedBatches: number
  /** How long after its time a holder believes to have the lease: several servers coordinate at once. */
  leaseOverrunMs: number
  /** How long the log recognizes an id. */
  rememberedMs: number
}

export const NO_FAULTS: Faults = {
  lostMessages: 0,
  lostReports: 0,
  slowMessages: 0,
  slowReads: 0,
  failedWrites: 0,
  failedBatches: 0,
  leaseOverrunMs: 0,
  rememberedMs: 300_000,
}

/** Each kind in some runs, so that there are runs with one alone. */
export function chooseFaults(random: Random): Faults {
  const sometimes = (probability: number): number => (random.chance(0.5) ? random.between(0, probability) : 0)
  return {
    lostMessages: sometimes(0.2),
    lostReports: sometimes(0.3),
    slowMessages: sometimes(0.2),
    slowReads: sometimes(0.1),
    failedWrites: sometimes(0.03),
    failedBatches: sometimes(0.2),
    leaseOverrunMs: sometimes(6_000),
    rememberedMs: random.chance(0.5) ? 300_000 : 1_000,
  }
}
