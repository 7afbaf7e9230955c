import { BadArchive } from './bad-archive.js'

/**
 * Where an entry belongs below the folder that is filled: names joined by `/`. Null for the folder itself and for what
 * macOS adds beside files (`._name`). Throws for names that lead elsewhere.
 */
export function entryPath(name: string): string | null {
  if (/[\0\\]/.test(name)) throw new BadArchive(`the name ${JSON.stringify(name)} holds a character that no name has`)
  if (name.startsWith('/')) throw new BadArchive(`the name ${JSON.stringify(name)} is absolute`)
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw new BadArchive(`the name ${JSON.stringify(name)} leads out of the archive`)
  const last = parts.at(-1)
  return last === undefined || last.startsWith('._') ? null : parts.join('/')
}
