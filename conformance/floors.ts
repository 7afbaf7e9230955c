/** What the player reports for one recorded conversation; `failed` holds the first difference. */
export interface TraceResult {
  readonly area: string
  readonly name: string
  readonly failed?: unknown
}

export interface AreaCounts {
  readonly area: string
  readonly passed: number
  /** Failed without being listed in `exceptions.json`. */
  readonly failed: number
  /** Failed as `exceptions.json` says they do. */
  readonly excepted: number
  /** Listed in `exceptions.json`, yet passing. */
  readonly needless: readonly string[]
}

export interface Verdict {
  readonly lines: readonly string[]
  readonly passed: number
  /** How many conversations are missing to the floors. */
  readonly missing: number
  /** Failing, but not below a floor. */
  readonly open: number
}

/** Counts one area. `exceptions` has a reason for each `area/name` that is expected to fail. */
export function tally(area: string, results: readonly TraceResult[], exceptions: Record<string, string>): AreaCounts {
  const isExcepted = (result: TraceResult) => Object.hasOwn(exceptions, `${area}/${result.name}`)
  const passing = results.filter((result) => result.failed === undefined)
  const failing = results.filter((result) => result.failed !== undefined)
  const excepted = failing.filter(isExcepted).length
  return {
    area,
    passed: passing.length,
    failed: failing.length - excepted,
    excepted,
    needless: passing.filter(isExcepted).map(({ name }) => name),
  }
}

/** Counts each area of the results. */
export function tallyAreas(results: readonly TraceResult[], exceptions: Record<string, string>): AreaCounts[] {
  const areas = [...new Set(results.map(({ area }) => area))]
  return areas.map((area) =>
    tally(
      area,
      results.filter((result) => result.area === area),
      exceptions,
    ),
  )
}

/**
 * Compares the counts with the floors; an area without a floor has the floor 0. An area that has a floor and was not
 * played at all misses all of it.
 */
export function judge(counts: readonly AreaCounts[], floors: Record<string, number>): Verdict {
  const lines = ['area                      passed  failed  excepted  floor']
  let passed = 0
  let missing = 0
  let open = 0
  const played = new Set(counts.map(({ area }) => area))
  const absent = Object.keys(floors).filter((area) => !played.has(area))
  for (const count of [...counts, ...absent.map((area) => tally(area, [], {}))]) {
    const floor = floors[count.area] ?? 0
    const below = Math.max(0, floor - count.passed)
    lines.push(row(count, floor), ...remarks(count, floor))
    passed += count.passed
    missing += below
    open += Math.max(0, count.failed + count.excepted - below)
  }
  return { lines, passed, missing, open }
}

function row({ area, passed, failed, excepted }: AreaCounts, floor: number): string {
  const cell = (value: number, width: number) => String(value).padStart(width)
  return `${area.padEnd(24)} ${cell(passed, 7)} ${cell(failed, 7)} ${cell(excepted, 9)} ${cell(floor, 6)}`
}

function remarks({ area, passed, needless }: AreaCounts, floor: number): string[] {
  const found = needless.map((name) => `  ${area}/${name} passes: take it out of conformance/exceptions.json`)
  if (passed < floor) found.push(`  ${area}: ${floor - passed} fewer than the floor`)
  if (passed > floor) found.push(`  ${area}: the floor could be ${passed} (--update)`)
  return found
}

/** The floors with each area's count where that is higher. Never lowers one. */
export function raiseFloors(counts: readonly AreaCounts[], floors: Record<string, number>): Record<string, number> {
  const raised = { ...floors }
  for (const { area, passed } of counts) raised[area] = Math.max(floors[area] ?? 0, passed)
  return Object.fromEntries(Object.entries(raised).sort(([a], [b]) => (a < b ? -1 : 1)))
}
