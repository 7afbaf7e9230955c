/**
 * Plays the recorded conversations of `../shared/conformance` against the built server, all of them, and compares
 * how many pass in each area with the floors kept beside this file. CONTRIBUTING.md says how to use it. `--shards 3` plays
 * those about searches and documents against a network of three servers that share the documents.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge, raiseFloors, type TraceResult, tallyAreas } from './floors.js'
import { exitCodeWithoutRecordings, readJson, recordings, runPlayer, shardServers } from './recordings.js'
import { withShardTraces } from './shards/shard-traces.js'

const floorsFile = join(import.meta.dirname, 'floors.json')

const { values: flags } = parseArgs({
  options: {
    area: { type: 'string' },
    only: { type: 'string' },
    show: { type: 'string', default: '20' },
    /** Conversations wait for tasks half of their time: one more than there are cores keeps these busy. */
    jobs: { type: 'string', default: String(availableParallelism() + 1) },
    update: { type: 'boolean', default: false },
    shards: { type: 'string' },
  },
})

process.exitCode = exitCodeWithoutRecordings('conformance') ?? main()

function main(): number {
  if (flags.area !== undefined) checkArea(flags.area)
  const exceptions: Record<string, string> = readJson(join(import.meta.dirname, 'exceptions.json'))
  if (flags.shards !== undefined) return playShards(exceptions)
  const results = play(selection()).map((result) => secondTry(result, exceptions))
  return flags.only === undefined ? report(results, exceptions) : reportSelection(results, exceptions)
}

/** There are no floors: every failure counts. */
function playShards(exceptions: Record<string, string>): number {
  const results = withShardTraces((folder) => play(['--traces', folder, ...selection()]))
  for (const { area, passed, failed, excepted } of tallyAreas(results, exceptions)) {
    console.log(`${area.padEnd(24)} ${passed} the same, ${failed} not, ${excepted} excepted`)
  }
  return reportSelection(results, exceptions)
}

function checkArea(area: string): void {
  const all = readdirSync(join(recordings, 'traces')).flatMap((name) => name.match(/^(.+)\.jsonl(?:\.gz)?$/)?.[1] ?? [])
  if (!all.includes(area)) throw new Error(`there is no area ${area}; there are ${all.join(', ')}`)
}

function selection(): string[] {
  return [
    ...(flags.area === undefined ? [] : ['--area', flags.area]),
    ...(flags.only === undefined ? [] : ['--only', flags.only]),
  ]
}

function play(options: readonly string[]): TraceResult[] {
  const common = ['--show', flags.show, '--jobs', flags.jobs]
  const server = flags.shards === undefined ? undefined : shardServers(flags.shards)
  const { printed, report } = runPlayer<TraceResult[]>('replay.mjs', [...common, ...options], server)
  // The player's table of areas is left out: ours, with the floors, comes at the end.
  process.stdout.write(printed.slice(0, printed.lastIndexOf('\narea ')))
  return report
}

/**
 * Searches have a time limit, after which they answer with what is ranked so far: a machine that stands still for a
 * second gives another order. So what fails unexpectedly is played once more, alone, and said to be so.
 */
function secondTry(result: TraceResult, exceptions: Record<string, string>): TraceResult {
  const fullName = `${result.area}/${result.name}`
  if (result.failed === undefined || Object.hasOwn(exceptions, fullName)) return result
  const again = play(['--area', result.area, '--only', fullName]).find(({ name }) => name === result.name) ?? result
  if (again.failed === undefined) console.log(`conformance: ${fullName} passed only the second time`)
  return again
}

function report(results: readonly TraceResult[], exceptions: Record<string, string>): number {
  const counts = tallyAreas(results, exceptions)
  const floors: Record<string, number> = readJson(floorsFile)
  const played = flags.area === undefined ? floors : { [flags.area]: floors[flags.area] ?? 0 }
  const verdict = judge(counts, played)
  for (const line of verdict.lines) console.log(line)
  if (flags.update) {
    writeFileSync(floorsFile, `${JSON.stringify(raiseFloors(counts, floors), null, 2)}\n`)
    console.log('conformance/floors.json holds the raised floors')
  }
  console.log(`conformance: ${verdict.passed} passed, ${verdict.missing} failed, ${verdict.open} skipped`)
  return verdict.missing > 0 ? 1 : 0
}

/** A selection has no floor: every failure counts, and so does a selection of nothing. */
function reportSelection(results: readonly TraceResult[], exceptions: Record<string, string>): number {
  const counts = tallyAreas(results, exceptions)
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`conformance: ${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}
