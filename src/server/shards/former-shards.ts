import { join } from 'node:path'
import type { HeardMember, Member } from '../../cluster/index.js'
import type { Log } from '../../log/index.js'
import { shardVersion } from '../../sharding/index.js'
import type { NetworkStore } from '../../state/index.js'
import type { CatalogueEntry, Indexing, TaskQueue } from '../../tasks/index.js'

export interface FormerShardsParts {
  readonly member: Member
  readonly network: NetworkStore
  readonly tasks: () => TaskQueue
  readonly indexing: Indexing
  readonly indexesPath: string
  readonly log: Log
}

const LOOK_EVERY_MS = 1_000
/** Searches that began by the former shards have ended by then. */
const GRACE_MS = 5_000
/** Whoever is silent for longer answers nobody: see `Members`. */
const SILENT_MS = 15_000

/** Deletes documents that others own by now, once nobody searches by the former shards any more. */
export class FormerShards {
  private timer: NodeJS.Timeout | undefined
  /** When it was first seen that there are former shards: a place in the log, and a time. */
  private seen: { readonly version: string; readonly batch: number } | undefined
  private unusedSince: number | undefined
  private isDropping = false

  constructor(private readonly parts: FormerShardsParts) {}

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS)
    this.timer.unref()
  }

  close(): void {
    clearInterval(this.timer)
  }

  private async look(): Promise<void> {
    const { network, log } = this.parts
    const { former } = network
    if (former === undefined || this.isDropping || !this.isUnused(former.version) || this.isChanging) return
    this.isDropping = true
    try {
      await this.drop()
    } catch (error) {
      log
        .child('cluster')
        .warn({ error }, 'documents that other servers own could not be deleted, which is tried again')
    } finally {
      this.isDropping = false
    }
  }

  /** Documents that come for a change are those of others until it is made. It deletes what is left of the former shards. */
  private get isChanging(): boolean {
    return this.parts.tasks().pendingTopologyChange() !== undefined
  }

  private isUnused(version: string): boolean {
    const { member } = this.parts
    if (this.seen?.version !== version) {
      this.seen = { version, batch: member.lastBatch }
      this.unusedSince = undefined
    }
    const { batch } = this.seen
    const isBehind = ({ carriedOut, silentMs }: HeardMember): boolean => silentMs < SILENT_MS && carriedOut < batch
    if (member.others.some(isBehind)) return false
    this.unusedSince ??= performance.now()
    return performance.now() - this.unusedSince > GRACE_MS
  }

  /** No batch is carried out meanwhile. */
  private async drop(): Promise<void> {
    const { tasks, network } = this.parts
    await tasks().betweenBatches(async ({ indexes }) => {
      if (this.isChanging) return
      const changed: CatalogueEntry[] = []
      for (const entry of indexes) changed.push(await this.dropFrom(entry))
      await tasks().store.write(() => {
        for (const entry of changed) tasks().catalogue.put(entry)
        network.forgetFormer()
      })
      network.reload()
    })
  }

  private async dropFrom({ uid, folder, stats }: CatalogueEntry): Promise<CatalogueEntry> {
    const { network, indexing, indexesPath } = this.parts
    const inForce = network.inForce!
    const job = {
      path: join(indexesPath, folder),
      indexUid: uid,
      now: stats.updatedAt,
      batchKey: `${inForce.version}/dropForeign`,
      create: null,
      work: { kind: 'dropForeign' },
      shards: shardVersion(inForce, inForce.self),
    } as const
    return { uid, folder, stats: (await indexing.run(job, () => {}).done).stats }
  }
}
