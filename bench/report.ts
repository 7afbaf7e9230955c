import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { filmSetNote } from './data.js'
import { machineSpeed } from './figures.js'

export type Unit = 'ms' | 's' | 'MB' | '/s' | 'x' | 'share' | ''

/** One number that was measured. */
export interface Figure {
  readonly workload: string
  readonly name: string
  readonly value: number
  readonly unit: Unit
  /** What was asked for on the machine of design.md: at most, or at least with a plus. */
  readonly target?: string
}

/** Everything that one run measured, as it is written with `--json`. */
export interface Results {
  readonly date: string
  readonly node: string
  readonly machine: string
  /** Which films were measured. */
  readonly films: string
  /** Milliseconds of a plain loop, before and after: how fast the machine was, and whether it stayed so. */
  readonly loopMs: readonly [before: number, after: number]
  readonly figures: readonly Figure[]
  /** For whoever puts figures of several runs together. */
  readonly note?: string
}

/** Collects figures, and says each as soon as it is there. */
export class Report {
  private readonly figures: Figure[] = []
  private readonly loopBefore = machineSpeed()
  private workload = ''

  begin(workload: string): void {
    this.workload = workload
    console.log(`\n${workload}`)
  }

  add(name: string, value: number, unit: Unit, target?: string): void {
    this.figures.push({ workload: this.workload, name, value, unit, ...(target !== undefined && { target }) })
    console.log(`  ${name}: ${shownValue(value, unit)}${target === undefined ? '' : ` (wanted: ${target})`}`)
  }

  /** A line that is no figure: how far something is. */
  note(text: string): void {
    console.log(`  … ${text}`)
  }

  results(): Results {
    const { model } = cpus()[0] ?? { model: 'unknown' }
    return {
      date: new Date().toISOString(),
      node: process.version,
      machine: `${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
      films: filmSetNote,
      loopMs: [this.loopBefore, machineSpeed()],
      figures: this.figures,
    }
  }

  print(): void {
    const rows = this.figures.map(({ workload, name, value, unit, target }) => ({
      workload,
      figure: name,
      measured: shownValue(value, unit),
      wanted: target ?? '',
    }))
    console.table(rows)
  }

  save(path: string): void {
    writeFileSync(path, `${JSON.stringify(this.results(), null, 1)}\n`)
  }
}

export function shownValue(value: number, unit: Unit): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  const number = value.toFixed(unit === 'share' ? 3 : digits)
  return unit === '' || unit === 'share' ? number : unit === 'x' ? `${number} ×` : `${number} ${unit}`
}
