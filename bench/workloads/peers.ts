import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readFilms } from '../data.js'
import { median, quantile } from '../figures.js'
import { firstSearches } from '../peers/first-searches.js'
import { PEERS } from '../peers/in-process.js'
import { MEASURED, type PeerFigures, WARM_UP } from '../peers/peer-figures.js'
import { measureTantivy } from '../peers/tantivy.js'
import type { Workload } from '../workload.js'

const PROGRAM = join(import.meta.dirname, '..', 'peers', 'measure-peer.ts')
const NO_TYPOS = 'typos and prefixes in these searches, ranking rules, filters and facets of this kind'

/**
 * The engine without a server beside other libraries: the same films and searches, each asked once, in a process of its
 * own. What the figures of this machine mean, too.
 */
export const peers: Workload = {
  name: 'peers',
  async run({ report }) {
    const add = (name: string, lacks: string, figures: PeerFigures) => {
      report.note(`${name} lacks: ${lacks}`)
      report.add(`${name}, indexed`, figures.indexedSeconds, 's')
      report.add(`${name}, memory`, figures.memoryMb, 'MB')
      report.add(`${name}, first-time searches, p50`, median(figures.searchMs), 'ms')
      report.add(`${name}, first-time searches, p99`, quantile(figures.searchMs, 0.99), 'ms')
      report.add(`${name}, one document added`, median(figures.addMs), 'ms')
    }
    for (const { name, lacks } of PEERS) add(name, lacks, await measureApart(name))
    const documents = readFilms()
    const work = { documents, queries: firstSearches(documents, WARM_UP + MEASURED), warmUp: WARM_UP }
    const tantivy = await measureTantivy(process.env.BENCH_PYTHON ?? 'python3', work)
    if (tantivy === undefined) report.note('Tantivy: its Python package is not installed')
    else add('Tantivy (Python package, in memory)', NO_TYPOS, tantivy)
  },
}

async function measureApart(name: string): Promise<PeerFigures> {
  const command = ['--import', 'tsx', '--max-old-space-size=8000', PROGRAM, name]
  const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 1 << 26 })
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as PeerFigures
}
