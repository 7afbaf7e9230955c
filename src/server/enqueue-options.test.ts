import { expect, test } from 'vitest'
import type { Config } from '../config/index.js'
import { enqueueOptions } from './enqueue-options.js'

function optionsOf(headers: Record<string, string>, replicationParameters = true) {
  const config = { indexing: { replicationParameters } } as Config
  return enqueueOptions({ headers, context: { config } })
}

test('without the replication option both headers are ignored, however wrong', () => {
  expect(optionsOf({ taskid: 'doggo', dryrun: 'true' }, false)).toEqual({ ok: true, value: {} })
})

test('a task can be given its uid', () => {
  expect(optionsOf({ taskid: '25' })).toEqual({ ok: true, value: { taskId: 25, dryRun: false } })
})

test.each(['', 'doggo', '-1', '1.5', '4294967296', '1, 2'])('the uid "%s" is refused and named', (taskid) => {
  const options = optionsOf({ taskid })
  expect(options).toMatchObject({ ok: false, failure: { code: 'bad_request' } })
  expect(options.ok ? '' : options.failure.message).toContain(
    `\`TaskId\`: a positive integer was expected, "${taskid}"`,
  )
})

test('a dry run is one when the header says true in any case, and only then', () => {
  const isDry = (dryrun: string) => optionsOf({ dryrun })
  for (const value of ['true', 'TRUE', 'True']) expect(isDry(value)).toEqual({ ok: true, value: { dryRun: true } })
  for (const value of ['false', '1', 'yes', '']) expect(isDry(value)).toEqual({ ok: true, value: { dryRun: false } })
  expect(optionsOf({})).toEqual({ ok: true, value: { dryRun: false } })
})
