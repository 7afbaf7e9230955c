import { execFileSync } from 'node:child_process'
import { platform } from 'node:os'
import { expect, test } from 'vitest'

/** In a process of its own: whoever steps back cannot come forward again. */
test.runIf(platform() === 'linux')('threads of V8 step back once, and no others do', () => {
  const code = `
    import { readdirSync } from 'node:fs'
    import { getPriority } from 'node:os'
    import { compilersStepBack, findCompilers } from './src/threads/index.js'
    const prioritiesOf = (ids) => ids.map((id) => getPriority(id))
    findCompilers()
    const found = readdirSync('/proc/self/task').map(Number)
    const before = prioritiesOf(found)
    compilersStepBack()
    compilersStepBack()
    console.log(JSON.stringify({ before, after: prioritiesOf(found), own: found.indexOf(process.pid) }))`
  const out = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    encoding: 'utf8',
  })
  const { before, after, own } = JSON.parse(out) as { before: number[]; after: number[]; own: number }
  expect(before.length).toBeGreaterThan(1)
  expect(after).toEqual(before.map((priority, i) => (i === own ? priority : Math.min(priority + 10, 19))))
})
