import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** What a build is made of: `commitSha` and `commitDate` of GET /version. */
export interface Origin {
  readonly commitSha: string
  /** RFC 3339, in UTC. */
  readonly commitDate: string
}

/**
 * The commit of the folder, by git; in an archive that git made of a commit, what it wrote down there. Elsewhere nobody
 * knows the commit: the version of the package and the time of this build stand for it.
 */
export function originOf(folder: string, now: () => Date = () => new Date()): Origin {
  return fromGit(folder) ?? fromArchive(folder) ?? { commitSha: `v${packageVersionIn(folder)}`, commitDate: utc(now()) }
}

/** Undefined too where the folder only lies inside of another project's. */
function fromGit(folder: string): Origin | undefined {
  try {
    const [top, commitSha, date] = [
      git(folder, 'rev-parse', '--show-toplevel'),
      git(folder, 'rev-parse', 'HEAD'),
      git(folder, 'show', '--no-patch', '--format=%cI', 'HEAD'),
    ] as const
    return realpathSync(top) === realpathSync(folder) ? { commitSha, commitDate: utc(new Date(date)) } : undefined
  } catch {
    return undefined
  }
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** In a working copy the file has placeholders, which `git archive` fills in (`.gitattributes`). */
function fromArchive(folder: string): Origin | undefined {
  const [commitSha = '', date = ''] = readFileSync(join(folder, 'scripts', 'archived-commit.txt'), 'utf8')
    .trim()
    .split(' ')
  return /^[0-9a-f]{40,64}$/.test(commitSha) ? { commitSha, commitDate: utc(new Date(date)) } : undefined
}

function packageVersionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return version
}

const utc = (date: Date): string => date.toISOString().replace('.000Z', 'Z')
