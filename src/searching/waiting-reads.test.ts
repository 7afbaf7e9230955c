import { expect, test } from 'vitest'
import { WaitingReads } from './waiting-reads.js'

test('a folder is free at once when nobody waits to read it', async () => {
  const reads = new WaitingReads()
  void reads.during(new Promise(() => {}), new Set(['/b']))
  await expect(reads.endOf('/a')).resolves.toBeUndefined()
})

test('a folder is free after the reading that follows the wait, also when it waits twice', async () => {
  const reads = new WaitingReads()
  const steps: string[] = []
  const search = async () => {
    await reads.during(Promise.resolve(), new Set(['/a']))
    steps.push('first wait')
    await reads.during(Promise.resolve(), new Set(['/a']))
    steps.push('read')
  }
  const searched = search()
  await reads.endOf('/a')
  steps.push('free')
  await searched
  expect(steps).toEqual(['first wait', 'read', 'free'])
})

test('a wait that fails frees its folder and passes the failure on', async () => {
  const reads = new WaitingReads()
  const search = reads.during(Promise.reject(new Error('no vector')), new Set(['/a']))
  await expect(search).rejects.toThrow('no vector')
  await expect(reads.endOf('/a')).resolves.toBeUndefined()
})
