import { readdirSync, readFileSync } from 'node:fs'

/** Bytes of a process that are not pages of files. */
export function memoryOf(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}

export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
