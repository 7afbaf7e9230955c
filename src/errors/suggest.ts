/** Longest received name (in bytes) for each number of allowed edits, spec 1 §2.10; longer ones are allowed five. */
const ALLOWANCE = [3, 7, 12, 17, 24]

/** The accepted name that was probably meant, or undefined. The smallest distance wins, the first on ties. */
export function suggest(received: string, accepted: readonly string[]): string | undefined {
  const bytes = Buffer.byteLength(received)
  const step = ALLOWANCE.findIndex((longest) => bytes <= longest)
  const allowed = step === -1 ? ALLOWANCE.length : step
  // A name far longer than every accepted one cannot be near any of them: spare the matrix.
  if (allowed === 0 || received.length > 128) return undefined
  let best: string | undefined
  let bestDistance = allowed + 1
  for (const name of accepted) {
    const distance = damerauLevenshtein(received, name)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Edits (insert, delete, replace, swap of neighbours) between two short names. */
function damerauLevenshtein(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(previous[j]! + 1, row[j - 1]! + 1, replaced)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, beforePrevious[j - 2]! + 1)
      row.push(least)
    }
    beforePrevious = previous
    previous = row
  }
  return previous[b.length]!
}
