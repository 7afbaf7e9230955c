/** What is measured of a library that is compared. */
export interface PeerFigures {
  readonly indexedSeconds: number
  /** Beside the documents themselves, which all of them are handed. */
  readonly memoryMb: number
  readonly searchMs: readonly number[]
  readonly addMs: readonly number[]
}

/** Searches that are not counted, so that all of them are compiled. */
export const WARM_UP = 100
export const MEASURED = 300
