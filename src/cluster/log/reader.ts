import { decodeEntry } from './entry-codec.js'
import type { EntryFinder } from './entry-finder.js'
import type { LogEntry, ReadOptions } from './model.js'
import type { Tail } from './tail.js'

export interface ReaderParts {
  readonly tail: Tail
  readonly finder: EntryFinder
  /** The last sequence of the log, undefined while nobody knows. */
  readonly last: () => Promise<number | undefined>
}

/**
 * Replicas with damaged files leave messages out without a word. So every sequence has to follow the one before, and a log
 * that seems quiet is compared with what its leader has.
 */
export async function* readEntries(parts: ReaderParts, from: number, options: ReadOptions): AsyncIterable<LogEntry> {
  let next = from
  try {
    while (!options.signal.aborted) {
      for await (const entry of withoutHoles(parts, next, options)) {
        yield entry
        next = entry.sequence + 1
      }
    }
  } finally {
    parts.tail.forget()
  }
}

/** The entries of one request to a replica, with those that it left out. */
async function* withoutHoles(parts: ReaderParts, from: number, options: ReadOptions): AsyncIterable<LogEntry> {
  const { tail, finder, last } = parts
  let next = from
  for await (const { seq, data } of tail.messages(from)) {
    for (; next <= seq; next++) {
      const entry = (next === seq ? decodeEntry(seq, data) : undefined) ?? (await finder.find(next, options))
      if (entry === undefined) return
      yield entry
    }
  }
  const isQuiet = next === from && !options.signal.aborted
  if (!isQuiet || ((await last()) ?? 0) < next) return
  const entry = await finder.find(next, options)
  if (entry !== undefined) yield entry
}
