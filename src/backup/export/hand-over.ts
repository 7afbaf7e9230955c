import { createHash } from 'node:crypto'
import { Bitmap } from '../../bitmap/index.js'
import type { DocId } from '../../documents/index.js'
import { type IndexFolder, readSettings } from '../../folder/index.js'
import { ArrivalList, StoredArrivals } from '../../index/index.js'
import { print } from '../../json/index.js'
import type { AllowedNetworks } from '../../outbound/index.js'
import { dumpView } from '../../settings/index.js'
import { shardOf } from '../../sharding/index.js'
import { proxyHeaders, type Remote } from '../../state/index.js'
import type { TaskOrigin } from '../../tasks/index.js'
import { DocumentText } from '../document-text.js'
import { checkCancelled } from '../watch.js'
import { withIndexFolder } from '../with-index-folder.js'
import type { ExportGates } from './export-index.js'
import { type PatientServices, writePatiently } from './write-patiently.js'
import type { RemoteWrite } from './write-to-remote.js'

/** The owners of each shard, by its name in byte order. Plain data, as all of an order: it travels between threads. */
export type ShardOwners = readonly (readonly [shard: string, owners: readonly string[]])[]

/** A server that may get documents. */
export interface Receiver {
  readonly name: string
  readonly remote: Remote
  /** It is new, and learns from here how indexes are set. */
  readonly needsSettings: boolean
}

/** How documents go from one owner of their shard to another. */
export interface Handover {
  /** Null where documents were not spread before: then every server hands over what it has. */
  readonly before: ShardOwners | null
  readonly after: ShardOwners
  /** Of several owners that a shard had, the first that stays hands its documents over. */
  readonly staying: readonly string[]
  readonly receivers: readonly Receiver[]
  /** The task of this server that changes the network. */
  readonly origin: TaskOrigin
  /** Servers with one log take documents in another way: no task comes of it. */
  readonly toMembers?: true
}

export interface HandoverOrder extends Handover {
  readonly uid: string
  /** The folder, which must be open on another thread. */
  readonly path: string
  readonly indexCount: number
  readonly payloadBytes: number
  readonly gates: Pick<ExportGates, 'chatCompletions' | 'foreignKeys'>
  readonly networks: AllowedNetworks
}

/**
 * Sends the documents of one index to the servers that own their shards from now on and did not before. Answers how many.
 * Whoever is away is waited for. Done again after a crash it sends the same, which receivers know by the keys of requests.
 */
export function handOverIndex(order: HandoverOrder, services: PatientServices): Promise<number> {
  return withIndexFolder(order, async (folder) => {
    const chosen = chooseDocuments(folder, order)
    let moved = 0
    for (const receiver of order.receivers) {
      const sending = new Sending(folder, order, receiver, services)
      const documents = chosen.get(receiver.name) ?? Bitmap.empty()
      if (receiver.needsSettings) await sending.settings()
      await sending.documents(documents)
      moved += documents.size
    }
    return moved
  })
}

/** Which documents each receiver gets. */
function chooseDocuments(folder: IndexFolder, { before, after, staying, origin }: HandoverOrder): Map<string, Bitmap> {
  const self = origin.remoteName
  const [oldOwners, newOwners] = [new Map(before), new Map(after)]
  const [oldNames, newNames] = [[...oldOwners.keys()], [...newOwners.keys()]]
  const chosen = new Map<string, number[]>()
  folder.databases.externalIds.eachBorrowed({}, (key, value) => {
    const id = key.toString()
    const had = before === null ? undefined : oldOwners.get(shardOf(oldNames, id))!
    if (had !== undefined && senderOf(had, staying) !== self) return
    for (const name of newOwners.get(shardOf(newNames, id))!) {
      if (name === self || had?.includes(name)) continue
      const list = chosen.get(name)
      if (list === undefined) chosen.set(name, [value.readUInt32BE(0)])
      else list.push(value.readUInt32BE(0))
    }
  })
  return new Map(Array.from(chosen, ([name, docIds]) => [name, Bitmap.fromUnsorted(docIds)]))
}

/** One of the owners, the same for all who ask. A server that leaves may be gone already. */
const senderOf = (owners: readonly string[], staying: readonly string[]): string | undefined =>
  owners.find((name) => staying.includes(name)) ?? owners[0]

/** Characters of one request: they go in a header, and proxies between servers often take no more than 8 KB of one. */
const MAX_ARRIVALS = 6 * 1024

/** What one receiver gets of one index. */
class Sending {
  private readonly index: string

  constructor(
    private readonly folder: IndexFolder,
    private readonly order: HandoverOrder,
    private readonly receiver: Receiver,
    private readonly services: PatientServices,
  ) {
    this.index = `${order.toMembers ? '/cluster' : ''}/indexes/${encodeURIComponent(order.uid)}`
  }

  /** Settings create the index where there is none; its primary key is no setting. */
  async settings(): Promise<void> {
    const { gates } = this.order
    const settings = dumpView(readSettings(this.folder))
    if (!gates.chatCompletions) settings.delete('chat')
    if (!gates.foreignKeys) settings.delete('foreignKeys')
    await this.send({ method: 'PATCH', path: `${this.index}/settings`, body: print(settings) }, NO_DOCUMENTS)
    const { primaryKey } = this.folder.meta()!
    if (primaryKey === null) return
    await this.send({ method: 'PATCH', path: this.index, body: JSON.stringify({ primaryKey }) }, NO_DOCUMENTS)
  }

  /** As many documents in a request as fit, one at least. */
  async documents(chosen: Bitmap): Promise<void> {
    const { order, services } = this
    const text = new DocumentText(this.folder)
    const totals = { totalDocuments: chosen.size }
    let stored = new StoredArrivals(this.folder.databases.shards)
    const arrivals = new ArrivalList()
    let lines: string[] = []
    let bytes = 0
    let finished = 0
    const flush = async (): Promise<void> => {
      const write = { method: 'POST', path: this.documentsPath(), body: lines.join('') }
      await this.send(write, { ...totals, documentCount: lines.length, arrivals: arrivals.take() })
      services.watch.progress(`exporting documents of ${order.uid} to ${this.receiver.name}`, finished, chosen.size)
      lines = []
      bytes = 0
      // It keeps what it has read.
      stored = new StoredArrivals(this.folder.databases.shards)
    }
    for (const docId of chosen) {
      const line = `${text.of(docId as DocId)}\n`
      const lineBytes = Buffer.byteLength(line)
      const isFull = bytes + lineBytes > order.payloadBytes || arrivals.length > MAX_ARRIVALS
      if (lines.length > 0 && isFull) await flush()
      arrivals.add(stored.ofMoved(docId))
      lines.push(line)
      bytes += lineBytes
      finished++
    }
    if (lines.length > 0) await flush()
  }

  private documentsPath(): string {
    const { primaryKey } = this.folder.meta()!
    return `${this.index}/documents${primaryKey === null ? '' : `?${new URLSearchParams({ primaryKey })}`}`
  }

  private async send(write: Omit<RemoteWrite, 'headers'> & { readonly body: string }, counts: Counts): Promise<void> {
    checkCancelled(this.services.watch)
    const { origin, uid, indexCount } = this.order
    const type = write.path.includes('/documents') ? 'application/x-ndjson' : 'application/json'
    const taskKey = createHash('sha256').update(`${write.path}\n${write.body}`).digest('hex')
    const handed = { remoteName: origin.remoteName, indexName: uid, taskKey, indexCount, ...counts }
    const headers = [['Content-Type', type] as const, ...proxyHeaders(origin, handed)]
    await writePatiently(this.receiver, { ...write, headers }, this.services)
  }
}

interface Counts {
  readonly documentCount: number
  readonly totalDocuments: number
  readonly arrivals?: string
}

const NO_DOCUMENTS: Counts = { documentCount: 0, totalDocuments: 0 }
