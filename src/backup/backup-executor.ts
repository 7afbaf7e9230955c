import { type AllowedNetworks, createOutbound, type Outbound } from '../outbound/index.js'
import { type DumpedIndexOrder, type DumpedTasksOrder, type DumpHead, DumpWriter } from './dump/dump-writer.js'
import { type ExportOrder, exportIndex } from './export/export-index.js'
import { type HandoverOrder, handOverIndex } from './export/hand-over.js'
import { type S3Place, s3Target } from './s3/s3-target.js'
import {
  type CopiedStoreOrder,
  type CopiedTasksOrder,
  type SnapshotHead,
  SnapshotWriter,
} from './snapshot/snapshot-writer.js'
import { fileTarget, type SnapshotTarget } from './snapshot/target.js'
import type { Watch } from './watch.js'

/** Where a snapshot is to go: a file of this name, marked as in `UnfinishedFile`, or an object. */
export type SnapshotPlace =
  | { readonly kind: 'file'; readonly path: string; readonly owner: string }
  | (S3Place & { readonly kind: 's3'; readonly networks: AllowedNetworks })

/** What can be asked of a executor, with what each takes. */
export interface BackupOrders {
  readonly beginDump: DumpHead
  readonly dumpIndex: DumpedIndexOrder
  readonly dumpTasks: DumpedTasksOrder
  readonly beginSnapshot: SnapshotHead & { readonly place: SnapshotPlace }
  readonly copyStore: CopiedStoreOrder
  readonly copyTasks: CopiedTasksOrder
  readonly exportIndex: ExportOrder
  readonly handOverIndex: HandoverOrder
  readonly finish: null
  readonly abandon: null
}

/** What comes of the work; nothing to speak of in most cases. */
export type BackupAnswer<W extends BackupWork> = W extends 'exportIndex' | 'handOverIndex' ? number : unknown

export type BackupWork = keyof BackupOrders

/** Where backups are written: a thread of its own in the server, the asking thread in tests. One job at a time. */
export interface Executor {
  do<W extends BackupWork>(work: W, order: BackupOrders[W], watch: Watch): Promise<BackupAnswer<W>>
  close(): Promise<void>
}

type Steps = { readonly [W in BackupWork]: (order: BackupOrders[W], watch: Watch) => Promise<BackupAnswer<W>> }

/** The steps of a job, on the thread that calls them. */
export class BackupExecutor implements Executor {
  private dump: DumpWriter | undefined
  private snapshot: SnapshotWriter | undefined
  private outbound: Outbound | undefined

  private readonly steps: Steps = {
    beginDump: async (head) => {
      this.dump = await DumpWriter.begin(head)
    },
    dumpIndex: (order, watch) => this.dump!.index(order, watch),
    dumpTasks: (order, watch) => this.dump!.tasks(order, watch),
    beginSnapshot: async ({ place, ...head }, watch) => {
      this.snapshot = await SnapshotWriter.begin(head, await this.open(place, watch))
    },
    copyStore: (order) => this.snapshot!.store(order),
    copyTasks: (order) => this.snapshot!.tasks(order),
    exportIndex: (order, watch) => exportIndex(order, { outbound: this.outboundTo(order.networks), watch }),
    handOverIndex: (order, watch) => {
      const outbound = this.outboundTo(order.networks)
      return handOverIndex(order, { outbound, watch, signal: new AbortController().signal })
    },
    finish: async () => (this.dump ?? this.snapshot)?.finish(),
    abandon: async () => (this.dump ?? this.snapshot)?.abandon(),
  }

  do<W extends BackupWork>(work: W, order: BackupOrders[W], watch: Watch): Promise<BackupAnswer<W>> {
    return this.steps[work](order, watch)
  }

  async close(): Promise<void> {
    await this.outbound?.close()
  }

  private open(place: SnapshotPlace, watch: Watch): Promise<SnapshotTarget> {
    if (place.kind === 'file') return fileTarget(place.path, place.owner)
    return s3Target(place, { outbound: this.outboundTo(place.networks), watch })
  }

  private outboundTo(networks: AllowedNetworks): Outbound {
    this.outbound ??= createOutbound({ networks, userAgent: 'findling' })
    return this.outbound
  }
}
