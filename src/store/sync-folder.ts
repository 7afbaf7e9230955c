import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Takes the names in a folder to disk. Windows knows no folders that can be opened, and needs none. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
