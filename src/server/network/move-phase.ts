import { shown } from '../../json/index.js'
import type { TopologyChange } from '../../state/index.js'
import { failedServers, namesOfOthers } from './change-facts.js'
import type { MoveState } from './move-records.js'

/** What this server does for a change, and whom it waits for. */
interface Phase {
  /** As the details of the task tell it. */
  readonly does: string
  readonly awaited: readonly string[]
}

/** Where a server is in a change. `isChanged`: it goes by the new shards. */
export interface Move {
  readonly change: TopologyChange
  readonly state: MoveState
  readonly isChanged: boolean
}

/** Whether there is something to do before others have spoken. */
export function canGoOn(move: Move): boolean {
  return phaseOf(move).awaited.length === 0 || hasFailed(move)
}

export const hasFailed = ({ state, isChanged }: Move): boolean => !isChanged && failedServers(state.finished).length > 0

export function describeMove(move: Move): string {
  const { does, awaited } = phaseOf(move)
  return awaited.length === 0 ? does : `${does}; awaited: ${awaited.map(shown).join(', ')}`
}

function phaseOf(move: Move): Phase {
  const { change, state, isChanged } = move
  const others = namesOfOthers(change)
  const but = (known: (name: string) => boolean) => others.filter((name) => !known(name))
  if (isChanged) {
    if (!state.isChangeTold) return { does: 'changing over to the new shards', awaited: [] }
    const awaited = but((name) => state.changed.includes(name))
    if (awaited.length > 0) return { does: 'waiting for others to change over to the new shards', awaited }
    return { does: 'deleting documents of shards no longer owned', awaited }
  }
  if (!state.isExported) return { does: 'waiting for older tasks, then exporting documents', awaited: [] }
  if (!state.isTold) return { does: 'importing documents', awaited: but((name) => state.received.includes(name)) }
  return { does: 'waiting for others to finish importing', awaited: awaitedByFinished(move, but) }
}

/** The leader changes over when all have finished, the others when somebody has changed over. */
function awaitedByFinished(
  { change, state }: Move,
  but: (known: (name: string) => boolean) => string[],
): readonly string[] {
  const { self, leader } = change.after
  const unfinished = but((name) => name in state.finished)
  if (self === leader || unfinished.length > 0) return state.changed.length > 0 ? [] : unfinished
  return state.changed.length > 0 ? [] : [leader!]
}
