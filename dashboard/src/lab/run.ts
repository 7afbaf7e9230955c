import { useEffect, useRef, useState } from 'preact/hooks'
import { failureOf, isAborted } from '../server/failure.js'
import { type Outcome, outcomeOf } from './scores.js'
import { DEEPEST, searchOn } from './searches.js'
import { SIDES, type Side, type SideName } from './sides.js'
import type { Wish } from './wanted.js'

export type Outcomes = Readonly<Record<SideName, ReadonlyMap<string, Outcome>>>

const NONE: Outcomes = { left: new Map(), right: new Map() }

export interface Run {
  readonly outcomes: Outcomes
  readonly isRunning: boolean
  start(wishes: readonly Wish[]): void
}

/** Asks all queries on both sides, one after the other. What was found is forgotten when a side asks otherwise. */
export function useRun(index: string, sides: Readonly<Record<SideName, Side>>): Run {
  const [outcomes, setOutcomes] = useState(NONE)
  const [isRunning, setRunning] = useState(false)
  const controller = useRef<AbortController | undefined>(undefined)
  useEffect(
    () => () => {
      controller.current?.abort()
      setOutcomes(NONE)
      setRunning(false)
    },
    [index, JSON.stringify(sides)],
  )
  const run = async (wishes: readonly Wish[]) => {
    const own = new AbortController()
    controller.current = own
    setOutcomes(NONE)
    setRunning(true)
    for (const wish of wishes) {
      for (const name of SIDES) {
        const outcome = await ask(index, sides[name], wish, own.signal)
        if (own.signal.aborted || outcome === undefined) return
        setOutcomes((before) => ({ ...before, [name]: new Map([...before[name], [wish.query, outcome]]) }))
      }
    }
    setRunning(false)
  }
  return { outcomes, isRunning, start: (wishes) => void run(wishes) }
}

async function ask(index: string, side: Side, wish: Wish, signal: AbortSignal): Promise<Outcome | undefined> {
  try {
    const limit = Math.max(DEEPEST, wish.among)
    const found = await searchOn({ index, side, q: wish.query, limit, signal })
    return outcomeOf(
      wish,
      found.map(({ id }) => id),
    )
  } catch (error) {
    return isAborted(error) ? undefined : { state: 'failed', failure: failureOf(error) }
  }
}
