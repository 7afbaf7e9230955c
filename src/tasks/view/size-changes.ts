import { sizeText } from './size.js'

/** Bytes by the name of a database inside of indexes. */
export type DatabaseBytes = Readonly<Record<string, number>>

/** Databases of other sizes than before: `2 MiB (+16 KiB)` (spec 2 §3.3). Those that are gone are left out. */
export function sizeChanges(before: DatabaseBytes, after: DatabaseBytes): Record<string, string> {
  const changed = Object.entries(after).filter(([name, bytes]) => bytes > 0 && bytes !== (before[name] ?? 0))
  return Object.fromEntries(changed.map(([name, bytes]) => [name, changeText(before[name] ?? 0, bytes)]))
}

function changeText(before: number, after: number): string {
  const difference = after - before
  return `${sizeText(after)} (${difference > 0 ? '+' : '-'}${sizeText(Math.abs(difference))})`
}

/** The same databases of several indexes together. */
export function addedUp(all: Iterable<DatabaseBytes>): DatabaseBytes {
  const sums: Record<string, number> = {}
  for (const each of all) for (const [name, bytes] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + bytes
  return sums
}
