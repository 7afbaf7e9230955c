/** What a part of the torture is given. */
export interface PartOptions {
  /** The same seed, the same choices. */
  readonly seed: number
  /** How long it may go on; a part that has something to show earlier ends earlier. */
  readonly minutes: number
  /** As little as still shows something: for machines that run all tests. */
  readonly isShort?: boolean
  /** For parts that can be told: so many blows instead of minutes, and of these kinds alone. */
  readonly kills?: number
  readonly chaos?: readonly string[]
  /** Among how many shards documents are divided, where they can be. */
  readonly shards?: number
  /** Tells how far it is. */
  readonly progress: (line: string) => void
}

/** One kind of torture. Answers what was seen, in a few words; throws when the server did what it must not. */
export type Part = (options: PartOptions) => Promise<string>

export const deadlineOf = ({ minutes }: PartOptions): number => performance.now() + minutes * 60_000

/** What went wrong, with everything that was found, not only the first of it. */
export function failWith(problems: readonly string[]): void {
  if (problems.length === 0) return
  const shown = problems.slice(0, 10).join('\n  ')
  throw new Error(`${problems.length} problems:\n  ${shown}`)
}
