/**
 * Plays the recorded conversations of `../shared/conformance` against the built server, area by area, and compares
 * how many pass with the floors kept beside this file. CONTRIBUTING.md says how to use it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type AreaCounts, judge, raiseFloors, type TraceResult, tally } from './floors.js'

const project = join(import.meta.dirname, '..')
const recordings = join(project, '..', 'shared', 'conformance')
const floorsFile = join(import.meta.dirname, 'floors.json')

const { values: flags } = parseArgs({
  options: {
    area: { type: 'string' },
    only: { type: 'string' },
    show: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '2' },
    update: { type: 'boolean', default: false },
    /** No area is begun after so long; the small ones come first. */
    minutes: { type: 'string', default: 'Infinity' },
  },
})

process.exitCode = main()

function main(): number {
  if (!existsSync(recordings)) {
    console.log('conformance: skipped, the recordings (../shared/conformance) are not here')
    return 0
  }
  if (!existsSync(join(project, 'dist', 'cli.js'))) {
    console.error('conformance: there is no dist/cli.js, run `npm run build` first')
    return 1
  }
  const exceptions: Record<string, string> = readJson(join(import.meta.dirname, 'exceptions.json'))
  const deadline = performance.now() + Number(flags.minutes) * 60_000
  const counts: AreaCounts[] = []
  for (const area of areas()) {
    if (performance.now() < deadline) counts.push(tally(area, playTwice(area, exceptions), exceptions))
    else console.log(`conformance: no time was left for the area ${area}`)
  }
  return flags.only === undefined ? report(counts) : reportSelection(counts)
}

function areas(): string[] {
  const all = readdirSync(join(recordings, 'traces')).flatMap((name) => name.match(/^(.+)\.jsonl(?:\.gz)?$/)?.[1] ?? [])
  if (flags.area === undefined) return smallestFirst(all.filter(isPlayed))
  if (!all.includes(flags.area)) throw new Error(`there is no area ${flags.area}; there are ${all.join(', ')}`)
  return [flags.area]
}

/** Areas that nothing is expected of yet cost only time, unless their floors are to be raised or one trace is asked for. */
function isPlayed(area: string): boolean {
  const floors: Record<string, number> = readJson(floorsFile)
  return flags.update || flags.only !== undefined || (floors[area] ?? 0) > 0
}

function smallestFirst(names: string[]): string[] {
  const floors: Record<string, number> = readJson(floorsFile)
  return names.sort((a, b) => (floors[a] ?? 0) - (floors[b] ?? 0))
}

/**
 * Searches have a time limit, after which they answer with what is ranked so far: a machine that stands still for a
 * second gives another order. So what fails unexpectedly is played once more, alone, and said to be so.
 */
function playTwice(area: string, exceptions: Record<string, string>): TraceResult[] {
  return play(area, flags.only).map((result) => {
    if (result.failed === undefined || Object.hasOwn(exceptions, `${area}/${result.name}`)) return result
    const again = play(area, result.name).find(({ name }) => name === result.name) ?? result
    if (again.failed === undefined) console.log(`conformance: ${area}/${result.name} passed only the second time`)
    return again
  })
}

function play(area: string, only: string | undefined): TraceResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'findling-conformance-'))
  const reportFile = join(folder, 'report.json')
  const command = [join(recordings, 'replay.mjs'), '--server', 'node dist/cli.js', '--area', area]
  if (only !== undefined) command.push('--only', only)
  command.push('--show', flags.show, '--jobs', flags.jobs, '--report', reportFile, '--min-pass', '0')
  try {
    const { status, stdout } = spawnSync('node', command, {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // The player's own table has one row here; ours comes at the end.
    process.stdout.write(stdout.slice(0, stdout.lastIndexOf('\narea ')))
    if (status !== 0) throw new Error(`the player ended with status ${status} on area ${area}`)
    return readJson(reportFile)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(counts: readonly AreaCounts[]): number {
  const floors: Record<string, number> = readJson(floorsFile)
  const verdict = judge(counts, floors)
  for (const line of verdict.lines) console.log(line)
  if (flags.update) {
    writeFileSync(floorsFile, `${JSON.stringify(raiseFloors(counts, floors), null, 2)}\n`)
    console.log('conformance/floors.json holds the raised floors')
  }
  console.log(`conformance: ${verdict.passed} passed, ${verdict.missing} failed, ${verdict.open} skipped`)
  return verdict.missing > 0 ? 1 : 0
}

/** A selection has no floor: every failure counts, and so does a selection of nothing. */
function reportSelection(counts: readonly AreaCounts[]): number {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`conformance: ${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T
}
