import type { Session } from './session.js'
import { lastOfSubject, type StreamNames } from './streams.js'

/**
 * Deletes entries below a sequence and answers the first that is left. A server that has no message of a subject any more takes
 * its last sequence for 0, so the last entry of every kind has to stay.
 */
export async function trimEntries(session: Session, names: StreamNames, below: number): Promise<number> {
  const { entries, entrySubject } = names
  const { streams } = session.manager
  const { state } = await streams.info(entries, { subjects_filter: `${entrySubject}.>` })
  const kinds = Object.keys(state.subjects ?? {})
  const needed = await Promise.all(kinds.map((subject) => lastOfSubject(session, entries, subject)))
  const first = Math.min(below, ...needed)
  if (first <= state.first_seq) return state.first_seq
  await streams.purge(entries, { seq: first })
  return first
}
