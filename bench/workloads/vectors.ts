import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DenseDocSet } from '../../src/bitmap/index.js'
import type { DocId } from '../../src/documents/stored-document.js'
import { IndexFolder } from '../../src/folder/index-folder.js'
import { Bucket } from '../../src/rank/bucket.js'
import { vectorRule } from '../../src/rank/vectors/vector-rule.js'
import { Appender } from '../../src/vectors/appender.js'
import { type EmbedderRecord, writeEmbedders } from '../../src/vectors/embedder-records.js'
import { EmbedderWriter } from '../../src/vectors/embedder-writer.js'
import { StoredVectors } from '../../src/vectors/stored-vectors.js'
import { median } from '../figures.js'
import { type NearestIndex, UsearchIndex } from '../peers/usearch.js'
import type { Report } from '../report.js'
import { VectorMaker } from '../synthetic-vectors.js'
import type { Workload } from '../workload.js'

const DIMENSIONS = 384
const BATCH = 20_000
const WANTED = 10
const QUERIES = 50
const SELECTIVITIES = [1, 0.5, 0.05, 0.005]

/** Nearest neighbours in process, with filters: against exact search, and against the library usearch. */
export const vectors: Workload = {
  name: 'vectors',
  async run({ report, isShort }) {
    const count = isShort ? 20_000 : 100_000
    const maker = new VectorMaker(DIMENSIONS)
    const all = Array.from({ length: count }, () => maker.next())
    const queries = Array.from({ length: QUERIES }, () => maker.next())
    const path = mkdtempSync(join(tmpdir(), 'findling-vectors-'))
    const folder = IndexFolder.open(path)
    try {
      const store = new VectorStore(folder)
      measureStoring(store, all, maker, report)
      const peer = measurePeerStoring(all, report)
      for (const selectivity of SELECTIVITIES) {
        const members = Uint32Array.from(all.keys()).filter((docId) => (docId * 7919) % 1000 < selectivity * 1000)
        const exact = queries.map((query) => exactNearest(all, query, members))
        const label = selectivity === 1 ? 'no filter' : `${selectivity * 100} % pass the filter`
        measureNearest({ name: `Findling, ${label}`, index: store, queries, members, exact, report })
        measureNearest({ name: `usearch, ${label}`, index: peer, queries, members, exact, report })
      }
    } finally {
      await folder.close()
      rmSync(path, { recursive: true })
    }
  },
}

/** Ours, as the indexing thread writes it and a search reads it. */
class VectorStore implements NearestIndex {
  private record: EmbedderRecord = {
    name: 'e',
    id: 0,
    dimensions: DIMENSIONS,
    isQuantized: false,
    fragments: [],
    vectorCount: 0,
  }
  private readonly reader: StoredVectors

  constructor(private readonly folder: IndexFolder) {
    this.reader = new StoredVectors(folder)
  }

  put(from: number, vectors: readonly Float32Array[]): void {
    const { folder } = this
    folder.write(() => {
      const { databases } = folder
      const appender = new Appender(databases.vectors)
      const nextVersion = folder.nextContentVersion()
      const writer = new EmbedderWriter({ databases, record: this.record, nextVersion, appender, onChange() {} })
      for (const [i, vector] of vectors.entries()) writer.put((from + i) as DocId, 0, vector)
      writer.flush()
      this.record = writer.record
      writeEmbedders(databases.main, [this.record])
    })
    this.reader.refresh()
  }

  get diskBytes(): number {
    const { vectors, vectorLists } = this.folder.databases
    return vectors.sizeBytes() + vectorLists.sizeBytes()
  }

  nearest(query: Float32Array, members: Uint32Array): readonly number[] {
    const embedder = this.reader.embedder('e')!
    const bits = new DenseDocSet(members.at(-1)! + 1)
    bits.addAll(members)
    const total = this.record.vectorCount
    const order = { embedder, query, similarityOf: (x: number) => x, depth: WANTED, total, deadline: Infinity }
    const found: number[] = []
    const buckets = vectorRule(order)(Bucket.of(bits), undefined as never)
    while (found.length < WANTED) {
      const next = buckets.next()
      if (next.done) break
      found.push(...next.value.bucket.docIds)
    }
    return found.slice(0, WANTED)
  }
}

function measureStoring(store: VectorStore, all: readonly Float32Array[], maker: VectorMaker, report: Report): void {
  const started = performance.now()
  for (let from = 0; from < all.length; from += BATCH) store.put(from, all.slice(from, from + BATCH))
  report.add(`Findling, ${all.length} vectors stored`, (performance.now() - started) / 1000, 's')
  report.add('Findling, disk', store.diskBytes / 1e6, 'MB')
  // Behind the others: they are not looked for below.
  const changes = Array.from({ length: 20 }, (_, i) => {
    const vector = maker.next()
    const began = performance.now()
    store.put(all.length + i, [vector])
    return performance.now() - began
  })
  report.add('Findling, one vector added, median', median(changes), 'ms')
}

function measurePeerStoring(all: readonly Float32Array[], report: Report): NearestIndex {
  const started = performance.now()
  const peer = new UsearchIndex(all)
  report.add(`usearch, ${all.length} vectors stored (in memory)`, (performance.now() - started) / 1000, 's')
  return peer
}

interface NearestRun {
  readonly name: string
  readonly index: NearestIndex
  readonly queries: readonly Float32Array[]
  readonly members: Uint32Array
  readonly exact: readonly (readonly number[])[]
  readonly report: Report
}

function measureNearest({ name, index, queries, members, exact, report }: NearestRun): void {
  const times: number[] = []
  let found = 0
  for (let round = 0; round < 3; round++) {
    for (const [i, query] of queries.entries()) {
      const started = performance.now()
      const near = index.nearest(query, members)
      times.push(performance.now() - started)
      if (round === 0) found += exact[i]!.filter((docId) => near.includes(docId)).length
    }
  }
  const isOurs = name.startsWith('Findling')
  report.add(`${name}, p50`, median(times), 'ms', isOurs ? '3 ms' : undefined)
  report.add(`${name}, recall@${WANTED}`, found / queries.length / WANTED, 'share', isOurs ? '0.95 +' : undefined)
}

function exactNearest(all: readonly Float32Array[], query: Float32Array, members: Uint32Array): readonly number[] {
  const similarity = (docId: number) => cosine(all[docId]!, query)
  return Array.from(members, (docId) => ({ docId, near: similarity(docId) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, WANTED)
    .map(({ docId }) => docId)
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, lengthA, lengthB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!
    lengthA += a[i]! * a[i]!
    lengthB += b[i]! * b[i]!
  }
  return dot / Math.sqrt(lengthA * lengthB)
}
