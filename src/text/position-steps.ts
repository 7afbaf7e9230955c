import { coarsePosition, POSITION_LIMIT } from './word-positions.js'

const steps: number[] = []
const places = new Uint8Array(POSITION_LIMIT)
for (let position = 0; position < POSITION_LIMIT; position++) {
  const coarse = coarsePosition(position)
  if (coarse !== steps[steps.length - 1]) steps.push(coarse)
  places[position] = steps.length - 1
}

/** The coarse positions that there are, ascending: ranking by position tells no others apart (spec 5 §2.4). */
export const POSITION_STEPS: readonly number[] = steps

/** For each position the place of its coarse position among those. */
export const stepOf: Uint8Array = places
