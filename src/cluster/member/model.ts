import type { Logger } from '../../log/index.js'
import type { Environment } from '../../store/index.js'
import type { TaskQueue } from '../../tasks/index.js'
import type { Clock } from '../../time/index.js'
import type { ReplicatedLog } from '../log/model.js'
import type { HeardMember, MemberReport } from './members.js'
import type { Runtime } from './runtime.js'

/** Hears that this server cannot go on. With a copy of another server's data it can, if `needsCopy`. */
export type LossListener = (problem: Error, needsCopy: boolean) => void

type Folder = Pick<Environment, 'database' | 'write'>

/** What a member asks of the queue that it belongs to. */
export type MemberQueue = Pick<TaskQueue, 'registered' | 'start'> & {
  readonly store: Pick<TaskQueue['store'], 'write'>
  readonly registrar: Pick<TaskQueue['registrar'], 'preview' | 'registerLogged'>
  /** Whether this server has all documents that it should; absent where all servers have the same. */
  readonly isComplete?: () => boolean
}

export interface MemberOptions {
  readonly name: string
  /** Where others reach this server. */
  readonly url: string | null
  readonly version: string
  /** Connects to the log. Called again until it succeeds. With `mustExist` none is made. */
  readonly openLog: (how: { readonly mustExist: boolean }) => Promise<ReplicatedLog>
  readonly system: Folder
  readonly auth: Folder
  /** The folder of payloads. */
  readonly updatesPath: string
  readonly clock: Clock
  readonly log: Logger
  readonly onLost: LossListener
  /** Default: that of this process. */
  readonly runtime?: Runtime
}

export interface MemberStatus {
  readonly self: MemberReport
  readonly others: readonly HeardMember[]
  /** Undefined while nobody knows of one. */
  readonly coordinator: string | undefined
  /** The end of the log, as far as it is known. */
  readonly lastSequence: number
  /** How long ago the log showed that a majority of it is there; undefined when it never did. */
  readonly logSilentMs: number | undefined
  readonly problem: string | undefined
}
