import { decodeEntry } from './entry-codec.js'
import { findStored } from './find-stored.js'
import type { LogEntry, ReadOptions } from './model.js'
import { LogDamaged, LogTrimmed } from './problems.js'
import type { Session } from './session.js'

/** Finds single entries that a replica left out or handed out damaged. */
export class EntryFinder {
  constructor(
    private readonly session: Session,
    private readonly stream: string,
  ) {}

  /** Undefined when the signal is aborted before. Throws `LogDamaged` if nobody has it. */
  async find(sequence: number, { signal, repair }: ReadOptions): Promise<LogEntry | undefined> {
    const entry = await findStored(this.session, {
      stream: this.stream,
      query: { seq: sequence },
      accept: ({ seq, data }) => (seq === sequence ? decodeEntry(seq, data) : undefined),
      signal,
      lastResort: async () => repair?.(sequence),
      onMissing: (firstSequence) => {
        if (sequence < firstSequence) throw new LogTrimmed(sequence, firstSequence)
      },
    })
    if (entry === undefined && !signal.aborted) {
      throw new LogDamaged(`no server has entry ${sequence} undamaged`, sequence)
    }
    return entry
  }
}
