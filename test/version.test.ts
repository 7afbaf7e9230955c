import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { originOf } from '../scripts/origin.js'
import { TestServer } from './server.js'

const ROOT = join(import.meta.dirname, '..')
const NOW = new Date('2026-05-06T07:08:09Z')

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder with what the origin of a build is found by. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-origin-'))
  folders.push(folder)
  mkdirSync(join(folder, 'scripts'))
  writeFileSync(join(folder, 'package.json'), '{"version":"7.8.9"}')
  for (const name of ['.gitattributes', 'scripts/archived-commit.txt']) cpSync(join(ROOT, name), join(folder, name))
  return folder
}

const git = (cwd: string, ...args: string[]): string => {
  const env = { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05+02:00' }
  const who = ['-c', 'user.name=me', '-c', 'user.email=me@example.org', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8' }).trim()
}

function committed(): { folder: string; commitSha: string } {
  const folder = project()
  git(folder, 'init', '--quiet')
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message', 'first')
  return { folder, commitSha: git(folder, 'rev-parse', 'HEAD') }
}

test('21.13 L117: the built server says the commit it was built from, and its date', async () => {
  const server = await TestServer.start()
  try {
    const { body } = await server.request<Record<string, string>>('GET', '/version')
    expect(body).toEqual({ commitSha: expect.any(String), commitDate: expect.any(String), pkgVersion: '1.49.0' })
    expect(body.commitDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    const origin = originOf(ROOT)
    if (origin.commitSha.startsWith('v')) expect(body.commitSha).toBe(origin.commitSha)
    else expect(body.commitSha).toMatch(/^[0-9a-f]{40}$/)
  } finally {
    await server.close()
  }
})

test('21.13 L117: the origin of a build is the commit of its folder', () => {
  const { folder, commitSha } = committed()
  expect(originOf(folder)).toEqual({ commitSha, commitDate: '2026-01-02T01:04:05Z' })
})

test('21.13 L117: an archive of a commit has its origin with it', () => {
  const { folder, commitSha } = committed()
  const archived = join(folder, 'archived')
  mkdirSync(archived)
  execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C archived'], { cwd: folder })
  expect(originOf(archived)).toEqual({ commitSha, commitDate: '2026-01-02T01:04:05Z' })
})

test('21.13 L117: without git the package stands for the commit, and not the project around it', () => {
  const { folder } = committed()
  const inside = join(folder, 'inside')
  cpSync(project(), inside, { recursive: true })
  for (const place of [project(), inside]) {
    expect(originOf(place, () => NOW)).toEqual({ commitSha: 'v7.8.9', commitDate: '2026-05-06T07:08:09Z' })
  }
})
