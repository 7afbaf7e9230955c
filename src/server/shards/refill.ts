import type { Member } from '../../cluster/index.js'
import type { Log } from '../../log/index.js'
import { topologyState } from '../../state/index.js'
import type { TaskQueue } from '../../tasks/index.js'
import type { ClusterShares } from './cluster-shares.js'

export interface RefillParts {
  readonly member: Member
  readonly tasks: () => TaskQueue
  readonly log: Log
}

const LOOK_EVERY_MS = 1_000

/** A server whose folder is a copy of another one's asks for the documents of its own shards. */
export class Refill {
  private timer: NodeJS.Timeout | undefined
  private isAsking = false

  constructor(
    private readonly shares: ClusterShares,
    private readonly parts: RefillParts,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS)
    this.timer.unref()
  }

  close(): void {
    clearInterval(this.timer)
  }

  private async look(): Promise<void> {
    const { tasks, member, log } = this.parts
    if (this.isAsking || this.shares.isComplete) return
    member.stepAside()
    if (!member.isCaughtUp) return
    const change = this.shares.refilling()
    if (change === undefined || tasks().pendingTopologyChange() !== undefined) return
    this.isAsking = true
    try {
      log.child('cluster').info({}, 'this server asks for the documents of its shards')
      await tasks().enqueue({ type: 'networkTopologyChange', state: topologyState(change) })
    } catch (error) {
      log.child('cluster').warn({ error }, 'the documents of this server could not be asked for, which is tried again')
    } finally {
      this.isAsking = false
    }
  }
}
