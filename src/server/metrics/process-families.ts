import { readdirSync, readFileSync } from 'node:fs'
import { type Family, gauge } from './family.js'

/** The usual facts about a process, from /proc: elsewhere there are none (spec 1 §5.5). */
export function processFamilies(): Family[] {
  if (process.platform !== 'linux') return []
  const status = readFileSync('/proc/self/status', 'utf8')
  const { user, system } = process.cpuUsage()
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time used, in seconds.',
      type: 'counter',
      samples: [{ labels: {}, value: (user + system) / 1e6 }],
    },
    // Listing the folder opens one more.
    gauge('process_open_fds', 'Open file descriptors.', readdirSync('/proc/self/fd').length - 1),
    gauge('process_max_fds', 'Most file descriptors that may be open.', maxOpenFiles()),
    gauge('process_virtual_memory_bytes', 'Virtual memory in bytes.', numberAfter(status, 'VmSize') * 1024),
    gauge('process_resident_memory_bytes', 'Resident memory in bytes.', numberAfter(status, 'VmRSS') * 1024),
    gauge('process_start_time_seconds', 'Start of the process in Unix seconds.', performance.timeOrigin / 1000),
    gauge('process_threads', 'Threads of the operating system.', numberAfter(status, 'Threads')),
  ]
}

function maxOpenFiles(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
}

/** The number after a name in /proc/self/status; sizes are in kilobytes there. */
function numberAfter(status: string, name: string): number {
  const line = status.split('\n').find((candidate) => candidate.startsWith(`${name}:`))
  return line === undefined ? 0 : Number.parseInt(line.slice(name.length + 1), 10)
}
