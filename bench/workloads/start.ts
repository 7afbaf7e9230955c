import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { median, timed } from '../figures.js'
import type { Workload } from '../workload.js'

const STARTS = 9
/** Until threads are up and nothing moves any more. */
const SETTLE_MS = 3_000

/** From the command to the first answer, and what the server holds when nobody asks it anything. */
export const start: Workload = {
  name: 'start',
  async run(bench) {
    if (!bench.startsServers) return
    const { report } = bench
    const times: number[] = []
    const bare: number[] = []
    for (let i = 0; i < STARTS; i++) {
      const started = performance.now()
      await bench.withServer(async () => {
        times.push(performance.now() - started)
      })
      bare.push(await timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit')))
    }
    report.add('first answer, median', median(times), 'ms', '500 ms')
    report.add('first answer, best', Math.min(...times), 'ms', '500 ms')
    report.add('node alone, median', median(bare), 'ms')
    await bench.withServer(async (server) => {
      await delay(SETTLE_MS)
      report.add('resident memory when idle', (server.residentBytes() ?? Number.NaN) / 1e6, 'MB', '120 MB')
    })
  },
}
