/**
 * Operations on sets of ids, in microseconds: fastest call, median, 99th percentile.
 *
 *     npx tsx bench/bitmap.ts [part of a name] [peer]
 *
 * The peer, `roaring` (native) unless it is `roaring-wasm`, runs along if it is installed in the folder this is started
 * in. Do not bundle this with esbuild: it turns `const` into `var`, and V8 builds only constants into its code, so that
 * counting dense sets takes more than twice as long.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Bench } from 'tinybench'
import { Bitmap } from '../src/bitmap/index.js'

/** What both packages offer, as far as it is used here. */
interface Peer {
  andCardinality(other: Peer): number
  has(id: number): boolean
  serialize(format: 'portable'): Uint8Array
  dispose?(): void
  toUint32Array(): Uint32Array
}

interface PeerClass {
  new (ids: Uint32Array): Peer
  and(a: Peer, b: Peer): Peer
  or(a: Peer, b: Peer): Peer
  andNot(a: Peer, b: Peer): Peer
  orMany(peers: Peer[]): Peer
  deserialize(bytes: Uint8Array, format: 'portable'): Peer
}

/** One implementation's version of each operation. `sets` are prepared beforehand, results are given back. */
interface Contender<T> {
  readonly name: string
  make(ids: Uint32Array): T
  read(bytes: Uint8Array): T
  and(a: T, b: T): T
  or(a: T, b: T): T
  andNot(a: T, b: T): T
  orMany(sets: T[]): T
  andCount(a: T, b: T): number
  ids(set: T): Uint32Array
  has(set: T, id: number): boolean
  write(set: T): Uint8Array
  /** Ends the life of a result; WebAssembly has no garbage collector. */
  drop(set: T): void
}

const own: Contender<Bitmap> = {
  name: 'own',
  make: (ids) => Bitmap.fromSorted(ids),
  read: (bytes) => Bitmap.deserialize(bytes),
  and: (a, b) => a.and(b),
  or: (a, b) => a.or(b),
  andNot: (a, b) => a.andNot(b),
  orMany: (sets) => Bitmap.orMany(sets),
  andCount: (a, b) => a.andCount(b),
  ids: (set) => set.toArray(),
  has: (set, id) => set.has(id),
  write: (set) => set.serialize(),
  drop: () => {},
}

async function loadPeer(packageName: string): Promise<Contender<Peer> | undefined> {
  const require = createRequire(join(process.cwd(), 'bench.js'))
  try {
    const loaded = require(packageName) as { RoaringBitmap32: PeerClass; roaringLibraryInitialize?(): Promise<void> }
    await loaded.roaringLibraryInitialize?.()
    return peerContender(packageName, loaded.RoaringBitmap32)
  } catch {
    return undefined
  }
}

function peerContender(name: string, peer: PeerClass): Contender<Peer> {
  return {
    name,
    make: (ids) => new peer(ids),
    read: (bytes) => peer.deserialize(bytes, 'portable'),
    and: (a, b) => peer.and(a, b),
    or: (a, b) => peer.or(a, b),
    andNot: (a, b) => peer.andNot(a, b),
    orMany: (sets) => peer.orMany(sets),
    andCount: (a, b) => a.andCardinality(b),
    ids: (set) => set.toUint32Array(),
    has: (set, id) => set.has(id),
    write: (set) => set.serialize('portable'),
    drop: (set) => set.dispose?.(),
  }
}

/** xorshift32, so that every run has the same ids. */
let state = 12345
function random(): number {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) / 2 ** 32
}

function pick(count: number, below: number): Uint32Array {
  const ids = new Set<number>()
  while (ids.size < count) ids.add(Math.floor(random() * below))
  return Uint32Array.from(ids).sort()
}

const MILLION = 1_000_000
const PAIRS: Record<string, readonly [Uint32Array, Uint32Array]> = {
  '300,000 x 100,000 of 1M': [pick(300_000, MILLION), pick(100_000, MILLION)],
  '20,000 x 20,000 of 1M': [pick(20_000, MILLION), pick(20_000, MILLION)],
  '1,000 x 300,000 of 1M': [pick(1000, MILLION), pick(300_000, MILLION)],
  '1,000 x 1,000 of 1M': [pick(1000, MILLION), pick(1000, MILLION)],
  '1,000 x 1,000 of 10M': [pick(1000, 10 * MILLION), pick(1000, 10 * MILLION)],
  '100 x 1,000 of 1M': [pick(100, MILLION), pick(1000, MILLION)],
  '10 x 300,000 of 1M': [pick(10, MILLION), pick(300_000, MILLION)],
  '10 x 100 of 1M': [pick(10, MILLION), pick(100, MILLION)],
}
const FEW = Array.from({ length: 200 }, () => pick(50, MILLION))

/** The values of a facet: some that many documents have, and a long tail. */
const VALUES = Array.from({ length: 200 }, (_, rank) => pick(Math.ceil(200_000 / (rank + 1)), MILLION))
const FOUND = pick(30_000, MILLION)

type Step = readonly [name: string, run: () => unknown]

function stepsOf<T>(contender: Contender<T>): Step[] {
  const steps: Step[] = []
  for (const [sizes, [idsA, idsB]] of Object.entries(PAIRS)) steps.push(...pairSteps(contender, sizes, idsA, idsB))
  const few = FEW.map((ids) => contender.make(ids))
  steps.push(['or of 200 x 50', () => contender.drop(contender.orMany(few))])
  return [...steps, ...facetSteps(contender)]
}

function facetSteps<T>(contender: Contender<T>): Step[] {
  const stored = VALUES.map((ids) => Bitmap.fromSorted(ids).serialize())
  const values = stored.map((bytes) => contender.read(bytes))
  const found = contender.make(FOUND)
  return [
    ['facet, 200 values: counted in 30,000 found', () => sum(values, (value) => contender.andCount(value, found))],
    ['facet, 200 values: read and united', () => contender.drop(readUnion(contender, stored))],
    ['facet, 200 values: written', () => sum(values, (value) => contender.write(value).length)],
    ['facet, 30,000 found looked up in a value', () => FOUND.filter((id) => contender.has(values[0]!, id)).length],
  ]
}

const sum = <T>(sets: readonly T[], count: (set: T) => number): number =>
  sets.reduce((total, set) => total + count(set), 0)

function readUnion<T>(contender: Contender<T>, stored: readonly Uint8Array[]): T {
  const sets = stored.map((bytes) => contender.read(bytes))
  const union = contender.orMany(sets)
  for (const set of sets) contender.drop(set)
  return union
}

function pairSteps<T>(contender: Contender<T>, sizes: string, idsA: Uint32Array, idsB: Uint32Array): Step[] {
  const a = contender.make(idsA)
  const b = contender.make(idsB)
  const bytes = Bitmap.fromSorted(idsA).serialize()
  return [
    [`and, ${sizes}`, () => contender.drop(contender.and(a, b))],
    [`or, ${sizes}`, () => contender.drop(contender.or(a, b))],
    [`andNot, ${sizes}`, () => contender.drop(contender.andNot(a, b))],
    [`andCount, ${sizes}`, () => contender.andCount(a, b)],
    [`read + and, ${sizes}`, () => readAnd(contender, bytes, b)],
    [`make, first of ${sizes}`, () => contender.drop(contender.make(idsA))],
    [`ids, first of ${sizes}`, () => contender.ids(a)],
  ]
}

function readAnd<T>(contender: Contender<T>, bytes: Uint8Array, other: T): void {
  const read = contender.read(bytes)
  contender.drop(contender.and(read, other))
  contender.drop(read)
}

/** Contenders take turns operation by operation, so that both see the same machine. */
async function main(wanted: string, peerName: string): Promise<void> {
  const peer = await loadPeer(peerName)
  const contenders = [{ name: own.name, steps: stepsOf(own) }]
  if (peer !== undefined) contenders.push({ name: peer.name, steps: stepsOf(peer) })
  for (const [index, [step]] of contenders[0]!.steps.entries()) {
    if (!step.includes(wanted)) continue
    const bench = new Bench({ time: 300, warmupTime: 300 })
    for (const { name, steps } of contenders) bench.add(name, steps[index]![1])
    await bench.run()
    const figures = bench.tasks.map(({ name, result }) => `${name} ${figure(result)}`)
    console.log(`${step.padEnd(40)} ${figures.join('   ')}`)
  }
}

function figure(result: Bench['tasks'][number]['result']): string {
  if (!('latency' in result)) return 'failed'
  const micros = (ms: number): string => (1000 * ms).toFixed(2).padStart(8)
  return [result.latency.min, result.latency.p50, result.latency.p99].map(micros).join(' ')
}

await main(process.argv[2] ?? '', process.argv[3] ?? 'roaring')
