import type { HeardMember } from './members.js'

/** Behind the end of the log for longer, a server says so. */
const MOST_BEHIND_MS = 3_000
/** A server whose batches lag behind the log for longer is not waited for any more. */
const LONGEST_LAG_MS = 60_000
/** Longer than the log takes to elect a leader. Others count on a server for longer than it counts on itself: see `Members`. */
const MOST_UNPROVEN_MS = 10_000
/** Who was heard so recently can be asked what it knows. */
const HEARD_MS = 2_000

/** What a server knows of itself. */
export interface Progress {
  readonly registered: number
  /** The end of the log; undefined while it is not known. */
  readonly end: number | undefined
  /** Whether a batch is yet to be carried out. */
  readonly hasPending: boolean
  /** How long ago a majority of the log showed that it is there, and that this server reaches it. */
  readonly provenMs: number
}

export const isProven = ({ provenMs }: Pick<Progress, 'provenMs'>): boolean => provenMs < MOST_UNPROVEN_MS

/** Whether a server may answer: its data are those of the others, or will be before anybody is told that a task is done. */
export class Readiness {
  private isCaughtUp = false
  private behindSince: number | undefined
  private pendingSince: number | undefined

  constructor(private readonly now: () => number = () => performance.now()) {}

  isReady(progress: Progress, others: readonly HeardMember[]): boolean {
    this.follow(progress)
    return this.isCaughtUp && (isProven(progress) || isOutageOfAll(others))
  }

  private follow({ registered, end, hasPending, provenMs }: Progress): void {
    const isBehind = end === undefined || registered < end
    this.behindSince = isBehind ? (this.behindSince ?? this.now()) : undefined
    this.pendingSince = hasPending ? (this.pendingSince ?? this.now()) : undefined
    if (!isBehind && !hasPending && Number.isFinite(provenMs)) this.isCaughtUp = true
    else if (this.since(this.behindSince) > MOST_BEHIND_MS || this.since(this.pendingSince) > LONGEST_LAG_MS)
      this.isCaughtUp = false
  }

  private since(time: number | undefined): number {
    return time === undefined ? 0 : this.now() - time
  }
}

/**
 * Nobody who can be heard knows of a majority either: then nothing new can be decided that this server would lack, and it
 * goes on answering. Alone it cannot know, since it may be the one that is cut off.
 */
function isOutageOfAll(others: readonly HeardMember[]): boolean {
  const heard = others.filter(({ silentMs }) => silentMs < HEARD_MS)
  return heard.length > 0 && heard.every((member) => !member.isProven)
}
