import { useEffect, useState } from 'preact/hooks'
import { go, guardPlace, type Place } from '../app/place.js'

export interface Leaving {
  /** Where a person wants to go, while they are asked. */
  readonly wanted: Place | undefined
  leave(): void
  stay(): void
}

/** Asks before unsaved changes are lost, by another place in the dashboard or by the end of the tab. */
export function useLeaving(index: string, hasChanges: boolean): Leaving {
  const [wanted, setWanted] = useState<Place | undefined>()
  useEffect(() => {
    if (!hasChanges) return
    const release = guardPlace((next) => {
      const isHere = next.screen === 'settings' && (next.path[0] ?? index) === index
      if (!isHere) setWanted(next)
      return isHere
    })
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => {
      release()
      removeEventListener('beforeunload', onUnload)
    }
  }, [index, hasChanges])
  return {
    wanted,
    stay: () => setWanted(undefined),
    leave: () => {
      guardPlace(() => true)
      go(wanted!.screen, wanted!.path, Object.fromEntries(wanted!.params))
    },
  }
}
