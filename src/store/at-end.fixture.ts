const cleanups: (() => Promise<void> | void)[] = []

/** Does something when the tests of the file are done. What was asked for last is done first. */
export function atEnd(cleanup: () => Promise<void> | void): void {
  cleanups.push(cleanup)
}

/** Called behind the tests of every file, by the set-up of the tests. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}
