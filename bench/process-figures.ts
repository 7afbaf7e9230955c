import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Of the times that the kernel tells. */
const TICK_MS = 10

/** What a process has used of all processors since its start. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user! + system!) * TICK_MS
}

/** Memory of a process that is its own, without what it maps from files. */
export const anonymousBytes = (pid: number): number => memory(pid, 'RssAnon')

/** All memory of a process, with the pages of files that it has touched. */
export const residentBytes = (pid: number): number => memory(pid, 'VmRSS')

function memory(pid: number, line: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) * 1024
}

/** The largest memory of their own that processes have together until `stop`, looked at every few milliseconds. */
export function watchMemory(pids: readonly number[]): { stop(): number } {
  let peak = 0
  const look = () => {
    peak = Math.max(
      peak,
      pids.reduce((sum, pid) => sum + anonymousBytes(pid), 0),
    )
  }
  const timer = setInterval(look, 20)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peak
    },
  }
}

/** What the files of a folder take on disk. */
export function folderBytes(path: string): number {
  let bytes = 0
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    const { size, blocks } = statSync(join(path, entry), { throwIfNoEntry: false }) ?? { size: 0, blocks: 0 }
    bytes += Math.min(size, blocks * 512)
  }
  return bytes
}
