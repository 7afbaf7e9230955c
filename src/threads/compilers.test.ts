import { execFileSync } from 'node:child_process'
import { platform } from 'node:os'
import { expect, test } from 'vitest'

/** In a process of its own: whoever steps back cannot come forward again. */
test.runIf(platform() === 'linux').each([
  ['four', [], 4],
  ['two', ['--v8-pool-size=2'], 2],
])('%s threads of V8 step back once, and no others do', (_, options, count) => {
  const code = `
    import { readdirSync } from 'node:fs'
    import { getPriority } from 'node:os'
    import { compilersStepBack, findCompilers } from './src/threads/index.js'
    const prioritiesOf = (ids) => ids.map((id) => getPriority(id))
    findCompilers()
    const found = readdirSync('/proc/self/task').map(Number).sort((a, b) => a - b)
    const before = prioritiesOf(found)
    compilersStepBack()
    compilersStepBack()
    const steps = prioritiesOf(found).map((priority, i) => priority - before[i])
    console.log(JSON.stringify({ steps, own: steps[found.indexOf(process.pid)] }))`
  const node = [...options, '--import', 'tsx', '--input-type=module', '-e', code]
  const { steps, own } = JSON.parse(execFileSync(process.execPath, node, { encoding: 'utf8' }))
  expect(own).toBe(0)
  // Where threads have no names, the one that wakes them does too.
  expect([count, count + 1]).toContain(steps.filter((step: number) => step === 10).length)
  expect(steps.filter((step: number) => step !== 0 && step !== 10)).toEqual([])
})
