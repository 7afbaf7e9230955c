import { expect, test } from 'vitest'
import { importOf, taskOf } from '../task.fixture.js'
import { batchStats } from './batch-stats.js'

test.each(['toString', 'constructor', '__proto__'])('an index that is called %s is counted like others', (uid) => {
  const tasks = [taskOf(3, importOf(uid)), taskOf(4, importOf('a')), taskOf(5, importOf(uid))]
  const { indexUids } = batchStats(tasks)
  expect(JSON.stringify(indexUids)).toBe(`{"${uid}":2,"a":1}`)
})
