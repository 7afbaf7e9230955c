import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const cli = fileURLToPath(new URL('./cli.ts', import.meta.url))
const tsx = import.meta.resolve('tsx')

/** Runs the real program to its end. */
function findling(...argv: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env.PATH }
  const child = spawnSync(process.execPath, ['--import', tsx, cli, ...argv], { encoding: 'utf8', cwd: tmpdir(), env })
  return { status: child.status, stdout: child.stdout, stderr: child.stderr }
}

test('--version prints to standard output and ends well', () => {
  const version = expect.stringMatching(/^findling \S+ \(interface 1\.49\.0\)\n$/)
  expect(findling('--version')).toEqual({ status: 0, stdout: version, stderr: '' })
})

test('--help prints to standard output and ends well', () => {
  expect(findling('--help')).toEqual({ status: 0, stdout: expect.stringContaining('--db-path <PATH>'), stderr: '' })
})

test('a wrong command line is one line on standard error and status 2', () => {
  expect(findling('--db-pth', 'x')).toEqual({
    status: 2,
    stdout: '',
    stderr: "findling: Unknown option '--db-pth'. Did you mean --db-path?\n",
  })
})

test('a configuration that cannot start is one line on standard error and status 1', () => {
  expect(findling('--env', 'production', '--master-key', 'too short')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^findling: In production [^\n]* --master-key [\w-]{43}\n$/),
  })
})
