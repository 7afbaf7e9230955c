/** Versions, and the closed sets of words that answers draw from. */
export interface Vocabulary {
  readonly interfaceVersion: string
  readonly packageVersion: string
  readonly taskTypes: readonly string[]
  readonly taskStatuses: readonly string[]
  readonly actions: readonly string[]
  readonly features: readonly string[]
}
