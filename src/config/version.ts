import { existsSync, readFileSync } from 'node:fs'

/** The version of the interface: `pkgVersion` of GET /version and the file VERSION of the data folder (spec 1 §5.3). */
export const INTERFACE_VERSION = '1.49.0'

/** Filled in by the build (`rolldown.config.ts`); there are none in source that was not built. */
declare const FINDLING_COMMIT_SHA: string | undefined
declare const FINDLING_COMMIT_DATE: string | undefined

const UNKNOWN = 'unknown'

/** The commit that the program was built from, and when it was made (RFC 3339). */
export const BUILT_FROM = {
  commitSha: typeof FINDLING_COMMIT_SHA === 'string' ? FINDLING_COMMIT_SHA : UNKNOWN,
  commitDate: typeof FINDLING_COMMIT_DATE === 'string' ? FINDLING_COMMIT_DATE : UNKNOWN,
} as const

/** The version of this package. Reads package.json on every call. */
export function packageVersion(): string {
  // One folder up from the built program, two from this file of the source.
  const files = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url))
  const content: unknown = JSON.parse(readFileSync(files.find((file) => existsSync(file))!, 'utf8'))
  const hasVersion = typeof content === 'object' && content !== null && 'version' in content
  if (!hasVersion) throw new Error('package.json has no version')
  return String(content.version)
}

/** What `--version` prints. */
export function versionText(): string {
  return `findling ${packageVersion()} (interface ${INTERFACE_VERSION})`
}
