import { expect, test } from 'vitest'
import { simulate } from './simulation.fixture.js'

/** As many as there is time for. `npm run simulate` takes other seeds, for as long as one likes. */
const SECONDS = 5

test('whatever happens to servers and network, nothing is lost, done twice or seen too early', {
  timeout: 60_000,
}, async () => {
  const end = performance.now() + SECONDS * 1_000
  for (let seed = 1; performance.now() < end; seed++) expect(await simulate(seed)).toMatchObject({ seed, problems: [] })
})

test('a seed gives the same run, event by event', async () => {
  const traceOf = async (seed: number): Promise<string[]> => {
    const lines: string[] = []
    await simulate(seed, { trace: (line) => lines.push(line) })
    return lines
  }
  const first = await traceOf(7)
  expect(await traceOf(7)).toEqual(first)
  expect(first.length).toBeGreaterThan(20)
})
