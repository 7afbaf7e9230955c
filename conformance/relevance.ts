/**
 * Runs the recorded rankings of `../shared/conformance/relevance` against the built server and compares how many
 * searches of each set are answered as recorded (hits, order, scores, totals, facets, highlights) with the floors kept
 * beside this file. What differs below a floor is shown; `--update` raises the floors. `--engine` asks `findling/engine`
 * instead of the server. `--shards 3` compares a network of three servers that share the documents with one server that
 * has all of them, search by search, and says every difference in a line.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { judge, raiseFloors } from './floors.js'
import { ENGINE_SERVER, exitCodeWithoutRecordings, readJson, recordings, runPlayer } from './recordings.js'
import { compareRelevance } from './shards/compare-relevance.js'

const floorsFile = join(import.meta.dirname, 'relevance-floors.json')
const setsFolder = join(recordings, 'relevance')

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string' },
    show: { type: 'string', default: '5' },
    update: { type: 'boolean', default: false },
    engine: { type: 'boolean', default: false },
    shards: { type: 'string' },
  },
})

process.exitCode =
  exitCodeWithoutRecordings('relevance') ?? (flags.shards === undefined ? main() : await compareShards())

function main(): number {
  const floors: Record<string, number> = readJson(floorsFile)
  const counts = setFiles().map(compare)
  const verdict = judge(counts, flags.set === undefined ? floors : { [flags.set]: floors[flags.set] ?? 0 })
  for (const line of verdict.lines) console.log(line)
  if (flags.update) writeFileSync(floorsFile, `${JSON.stringify(raiseFloors(counts, floors), null, 2)}\n`)
  console.log(`relevance: ${verdict.passed} passed, ${verdict.missing} failed, ${verdict.open} skipped`)
  return verdict.missing > 0 ? 1 : 0
}

async function compareShards(): Promise<number> {
  const compared = []
  for (const file of setFiles()) compared.push(await compareRelevance(join(setsFolder, file), Number(flags.shards)))
  for (const { area, same, asked } of compared) console.log(`${area.padEnd(24)} ${same} of ${asked} the same`)
  return compared.every(({ same, asked }) => same === asked) ? 0 : 1
}

function setFiles(): string[] {
  const files = readdirSync(setsFolder).filter((name) => /\.json(\.gz)?$/.test(name))
  const wanted = files.filter((name) => flags.set === undefined || nameOf(name) === flags.set)
  if (wanted.length === 0) throw new Error(`there is no set ${flags.set}; there are ${files.map(nameOf).join(', ')}`)
  return wanted
}

function nameOf(file: string): string {
  return file.replace(/\.json(\.gz)?$/, '')
}

function compare(file: string) {
  const options = ['--set', join(setsFolder, file), '--show', flags.show]
  const { printed, report } = runPlayer<unknown[]>('relevance.mjs', options, flags.engine ? ENGINE_SERVER : undefined)
  process.stdout.write(printed)
  const asked = searchCount(join(setsFolder, file))
  return { area: nameOf(file), passed: asked - report.length, failed: report.length, excepted: 0, needless: [] }
}

function searchCount(file: string): number {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return (JSON.parse(text) as { searches: unknown[] }).searches.length
}
