import { coarsePosition, POSITION_LIMIT } from './word-positions.js'

const coarse = Array.from({ length: POSITION_LIMIT }, (_, position) => coarsePosition(position))

/** The coarse positions that there are, ascending: ranking by position tells no others apart (spec 5 §2.4). */
export const POSITION_STEPS: readonly number[] = [...new Set(coarse)]

/** For each position the place of its coarse position among those. */
export const stepOf: Uint8Array = Uint8Array.from(coarse, (position) => POSITION_STEPS.indexOf(position))
