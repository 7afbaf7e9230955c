import type { HeardMember } from './members.js'

/** Behind the end of the log for longer, a server says so. */
const MOST_BEHIND_MS = 3_000
/** A server whose batches lag behind the log for longer is not waited for any more. */
const LONGEST_LAG_MS = 60_000
/** Longer than the log takes to elect a leader. Others count on a server for longer than it counts on itself: see `Members`. */
const MOST_UNPROVEN_MS = 10_000
/** Who needs longer to get to where the log ended is too far behind to be waited for. */
const LONGEST_ROUND_MS = 2_000
/** Who was heard so recently can be asked what it knows. */
const HEARD_MS = 2_000

/** What a server knows of itself. */
export interface Progress {
  readonly name: string
  /** Nothing keeps it from doing what the others do, and it knows them. */
  readonly isSound: boolean
  readonly carriedOut: number
  readonly registered: number
  /** The end of the log, and when it was asked for; undefined while it is not known. */
  readonly end: { readonly sequence: number; readonly askedAt: number } | undefined
  /** The place of the first batch that is yet to be carried out. */
  readonly firstPending: number | undefined
  /** How long ago a majority of the log showed that it is there, and that this server reaches it. */
  readonly provenMs: number
}

export const isProven = ({ provenMs }: Pick<Progress, 'provenMs'>): boolean => provenMs < MOST_UNPROVEN_MS

/** How a server stands to the others. */
export interface Standing {
  /** May answer. */
  readonly isReady: boolean
  /**
   * The others have to wait for this server: no task is shown as finished that it has not carried out. Names this request, so
   * that who follows it does not mean an earlier one; null while they need not.
   */
  readonly awaited: string | null
}

/**
 * Whether a server may answer: its data are those of the others, or will be before anybody is told that a task is done. One that
 * has caught up first has the others wait for it, and is ready when they all say that they do and it has what they had shown.
 */
export class Readiness {
  private isCaughtUp = false
  /** How far it wants to come first. */
  private round: { readonly target: number; readonly since: number } | undefined
  /** Since when nothing was in its way. What the end of the log was before does not count. */
  private since: number | undefined
  private awaited: string | null = null
  private isAgreed = false
  /** Since when it has asked these others, and where the log ended then. */
  private asked: { readonly key: string; readonly at: number; target: number | undefined } | undefined
  private behindSince: number | undefined
  private pendingSince: number | undefined

  constructor(
    private readonly newId: () => string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `others`: those who can be expected to say something. */
  look(progress: Progress, others: readonly HeardMember[]): Standing {
    const mayFollow = progress.isSound && (isProven(progress) || isOutageOfAll(others))
    if (mayFollow) this.follow(progress)
    else this.beginAnew(undefined)
    if (!this.isCaughtUp) this.awaited = null
    else this.awaited ??= this.newId()
    this.isAgreed = this.isCaughtUp && this.doOthersWait(progress, others)
    return { isReady: this.isAgreed, awaited: this.awaited }
  }

  private follow(progress: Progress): void {
    if (this.isCaughtUp) this.stay(progress)
    else this.catchUp(progress)
  }

  /** To where the log ended, again and again, until a round is so short that the others can wait for the rest. */
  private catchUp(progress: Progress): void {
    const { end } = progress
    this.since ??= this.now()
    if (this.round === undefined && end !== undefined && end.askedAt >= this.since)
      this.round = { target: end.sequence, since: end.askedAt }
    if (this.round === undefined || !hasReached(progress, this.round.target)) return
    this.isCaughtUp = this.now() - this.round.since < LONGEST_ROUND_MS
    if (!this.isCaughtUp) this.beginAnew(this.now())
  }

  private stay({ registered, end, firstPending }: Progress): void {
    const isBehind = end === undefined || registered < end.sequence
    this.behindSince = isBehind ? (this.behindSince ?? this.now()) : undefined
    this.pendingSince = firstPending === undefined ? undefined : (this.pendingSince ?? this.now())
    if (this.ago(this.behindSince) > MOST_BEHIND_MS || this.ago(this.pendingSince) > LONGEST_LAG_MS)
      this.beginAnew(this.now())
  }

  private beginAnew(since: number | undefined): void {
    this.isCaughtUp = false
    this.round = undefined
    this.behindSince = undefined
    this.pendingSince = undefined
    this.since = since
  }

  private ago(time: number | undefined): number {
    return time === undefined ? 0 : this.now() - time
  }

  /** Whether it has come to where the log ended when these others were all there are. */
  private hasAllSince(progress: Progress, others: readonly HeardMember[]): boolean {
    const { end } = progress
    const key = JSON.stringify([this.awaited, ...others.map(({ name }) => name).sort()])
    if (this.asked?.key !== key) this.asked = { key, at: this.now(), target: undefined }
    if (end !== undefined && end.askedAt >= this.asked.at) this.asked.target ??= end.sequence
    return this.asked.target !== undefined && hasReached(progress, this.asked.target)
  }

  private doOthersWait(progress: Progress, others: readonly HeardMember[]): boolean {
    const { name, carriedOut } = progress
    const isWaiting = ({ waitsFor }: HeardMember): boolean => waitsFor[name] === this.awaited
    // Whoever has just started shows nothing before it knows what the others ask for.
    if (this.isAgreed) return others.every((each) => !each.isSettled || isWaiting(each))
    // Afterwards they show nothing that this server lacks. Who is gone can not say what it had shown: the log knows.
    return others.every((each) => isWaiting(each) && each.shown <= carriedOut) && this.hasAllSince(progress, others)
  }
}

const hasReached = ({ registered, firstPending }: Progress, target: number): boolean =>
  registered >= target && (firstPending === undefined || firstPending > target)

/**
 * Nobody who can be heard knows of a majority either: then nothing new can be decided that this server would lack, and it
 * goes on answering. Alone it cannot know, since it may be the one that is cut off.
 */
function isOutageOfAll(others: readonly HeardMember[]): boolean {
  const heard = others.filter(({ silentMs }) => silentMs < HEARD_MS)
  return heard.length > 0 && heard.every((member) => !member.isProven)
}
