import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocId } from '../src/index/documents/stored-document.js'
import { IndexFolder } from '../src/index/folder/index-folder.js'
import { Appender } from '../src/index/vectors/appender.js'
import { type EmbedderRecord, writeEmbedders } from '../src/index/vectors/embedder-records.js'
import { EmbedderWriter } from '../src/index/vectors/embedder-writer.js'
import { StoredVectors } from '../src/index/vectors/stored-vectors.js'
import { seededRandom } from '../test/random.js'

/**
 * How fast vectors are stored and their neighbours found, and how many of the ten nearest are among those that are found.
 * The vectors look like those of texts: topics that overlap, a common direction, and noise in all dimensions.
 *
 *     npx tsx bench/vectors.ts [vectors, 100000] [dimensions, 384] [queries, 50]
 */
const [count = 100_000, dimensions = 384, queries = 50] = process.argv.slice(2).map(Number)
const TOPIC_DIMENSIONS = 48
const TOPICS = 200
const BATCH = 20_000
const WANTED = 20

const random = seededRandom(42)
const gauss = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
const gausses = (length: number): Float32Array => Float32Array.from({ length }, gauss)
const mixing = gausses(TOPIC_DIMENSIONS * dimensions)
const common = gausses(dimensions)
const topics = Array.from({ length: TOPICS }, () => gausses(TOPIC_DIMENSIONS))

function newVector(): Float32Array {
  const topic = topics[Math.floor(random() * TOPICS)]!.map((each) => 0.7 * each + 0.7 * gauss())
  return common.map((each, i) => {
    let sum = 0
    for (let k = 0; k < TOPIC_DIMENSIONS; k++) sum += topic[k]! * mixing[k * dimensions + i]!
    return sum / Math.sqrt(TOPIC_DIMENSIONS) + 0.6 * each + 0.5 * gauss()
  })
}

const path = mkdtempSync(join(tmpdir(), 'findling-vectors-'))
const folder = IndexFolder.open(path)
let record: EmbedderRecord = {
  name: 'e',
  id: 0,
  dimensions,
  isQuantized: false,
  fragments: [],
  vectorCount: 0,
}

function change(work: (writer: EmbedderWriter) => void): void {
  folder.write(() => {
    const nextVersion = folder.nextVersion()
    const { databases } = folder
    const appender = new Appender(databases.vectors)
    const writer = new EmbedderWriter({ databases, record, nextVersion, appender, onChange() {} })
    work(writer)
    writer.flush()
    record = writer.record
    writeEmbedders(folder.databases.main, [record])
  })
}

/** Of this process, in seconds: other work on the machine shows less. */
function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

let stored = 0
for (let from = 0; from < count; from += BATCH) {
  const batch = Array.from({ length: Math.min(BATCH, count - from) }, newVector)
  stored += cpuSeconds(() =>
    change((writer) => {
      for (const [i, vector] of batch.entries()) writer.put((from + i) as DocId, 0, vector)
    }),
  )
}
const changes = Array.from({ length: 20 }, (_, i) => {
  const vector = newVector()
  return cpuSeconds(() => change((writer) => writer.put(((i * 7919) % count) as DocId, 0, vector)))
})
console.log(`stored in ${stored.toFixed(1)} s of CPU, ${((1000 * stored) / count).toFixed(3)} ms each`)
console.log(`one change ${(1000 * middle(changes)).toFixed(1)} ms of CPU; lists: ${record.lists?.count ?? 'none'}`)
const { vectors, vectorLists } = folder.databases
console.log(`on disk ${megabytes(vectors.sizeBytes())} of vectors, ${megabytes(vectorLists.sizeBytes())} of lists`)

const reader = new StoredVectors(folder)
reader.refresh()
const embedder = reader.embedder('e')!
const times: number[] = []
const exactTimes: number[] = []
let found = 0
for (let i = 0; i < queries; i++) {
  const query = newVector()
  const exact = timed(exactTimes, () =>
    nearest(
      query,
      Uint32Array.from({ length: count }, (_, docId) => docId),
    ),
  )
  for (let round = 0; round < 3; round++) {
    const near = timed(times, () => nearest(query, Uint32Array.from(embedder.near(query, { count: WANTED }) ?? [])))
    if (round === 0) found += exact.filter((docId) => near.includes(docId)).length
  }
}
console.log(`recall@10 ${(found / queries / 10).toFixed(3)}`)
console.log(`nearest ${middle(times).toFixed(2)} ms (best ${Math.min(...times).toFixed(2)})`)
console.log(`exact ${middle(exactTimes).toFixed(1)} ms (best ${Math.min(...exactTimes).toFixed(1)})`)
await folder.close()
rmSync(path, { recursive: true })

function nearest(query: Float32Array, docIds: Uint32Array): number[] {
  const from = embedder.distancesFrom(query)
  return Array.from(docIds, (docId) => ({ docId, distance: from.to(docId) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 10)
    .map(({ docId }) => docId)
}

function timed<T>(into: number[], work: () => T): T {
  const start = performance.now()
  const result = work()
  into.push(performance.now() - start)
  return result
}

function middle(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
