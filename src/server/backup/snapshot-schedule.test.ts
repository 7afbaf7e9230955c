import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fail } from '../../errors/index.js'
import type { NewTask } from '../../tasks/index.js'
import { scheduleSnapshots } from './snapshot-schedule.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function schedule(intervalMs: number, enqueue = async () => fail('no_space_left_on_device', 'full')) {
  const registered: NewTask[] = []
  const refused: unknown[] = []
  const tasks = {
    enqueue(content: NewTask) {
      registered.push(content)
      return enqueue()
    },
  }
  const { stop } = scheduleSnapshots({ intervalMs, tasks, refused: (reason) => void refused.push(reason) })
  return { registered, refused, stop }
}

test('a snapshot is registered after each interval, the first one after a whole one', async () => {
  const { registered, stop } = schedule(1000)
  await vi.advanceTimersByTimeAsync(999)
  expect(registered).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(registered).toEqual([{ type: 'snapshotCreation' }])
  await vi.advanceTimersByTimeAsync(2000)
  expect(registered).toHaveLength(3)
  stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(registered).toHaveLength(3)
})

test('of the servers of a cluster, the one that is in charge when an interval is over registers it', async () => {
  let isOurs = false
  const registered: NewTask[] = []
  const tasks = {
    async enqueue(content: NewTask) {
      registered.push(content)
      return fail('no_space_left_on_device', 'full')
    },
  }
  const { stop } = scheduleSnapshots({ intervalMs: 1000, tasks, refused: () => {}, isOurs: () => isOurs })
  await vi.advanceTimersByTimeAsync(1000)
  expect(registered).toEqual([])
  isOurs = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(registered).toHaveLength(1)
  stop()
})

test('an interval may be longer than a timer can wait', async () => {
  const month = 40 * 86_400_000
  const { registered, stop } = schedule(month)
  await vi.advanceTimersByTimeAsync(month - 1)
  expect(registered).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(registered).toHaveLength(1)
  stop()
})

test('a refusal is told and the schedule goes on', async () => {
  const refusing = schedule(1000)
  await vi.advanceTimersByTimeAsync(2000)
  expect(refusing.refused).toMatchObject([{ code: 'no_space_left_on_device' }, { code: 'no_space_left_on_device' }])
  refusing.stop()
  const broken = schedule(1000, async () => {
    throw new Error('closed')
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(broken.refused).toMatchObject([{ message: 'closed' }])
  broken.stop()
})
