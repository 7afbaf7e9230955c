/**
 * Measures one library in a process of its own, so that its memory is its own: `measure-peer.ts NAME` prints a line of
 * JSON (`PeerFigures`).
 */
import { readFileSync } from 'node:fs'
import { readFilms } from '../data.js'
import { timed } from '../figures.js'
import type { Document } from '../workload.js'
import { firstSearches } from './first-searches.js'
import { PEERS } from './in-process.js'
import { MEASURED, type PeerFigures, WARM_UP } from './peer-figures.js'

const ADDED = 20

const peer = PEERS.find(({ name }) => name === process.argv[2])!
const documents = readFilms()
const before = anonymousMb()
const started = performance.now()
const open = await peer.index(documents)
const indexedSeconds = (performance.now() - started) / 1000
const searches = firstSearches(documents, WARM_UP + MEASURED)
for (const q of searches.slice(0, WARM_UP)) await open.find(q)
const searchMs: number[] = []
for (const q of searches.slice(WARM_UP)) searchMs.push(await timed(async () => open.find(q)))
const memoryMb = anonymousMb() - before
const addMs: number[] = []
for (let i = 0; i < ADDED; i++) addMs.push(await timed(async () => open.add(added(i))))
await open.close?.()
console.log(JSON.stringify({ indexedSeconds, memoryMb, searchMs, addMs } satisfies PeerFigures))

function added(i: number): Document {
  return { ...documents[i * 31]!, id: 90_000_000 + i }
}

function anonymousMb(): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}
