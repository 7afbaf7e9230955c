import { expect, test } from 'vitest'
import { Turns } from './turns.js'

test('who waits is served in the order of coming, one in each turn of the event loop', async () => {
  const turns = new Turns()
  const log: string[] = []
  const work = [1, 2, 3].map(async (id) => {
    await turns.next()
    log.push(`work ${id}`)
  })
  const between = () => {
    log.push('others')
    if (log.length < 6) setImmediate(between)
  }
  setImmediate(between)
  await Promise.all(work)
  expect(log.slice(0, 5)).toEqual(['work 1', 'others', 'work 2', 'others', 'work 3'])
})

test('the next one need not have come while others waited', async () => {
  const turns = new Turns()
  await turns.next()
  await turns.next()
  expect(await Promise.all([turns.next(), turns.next()])).toHaveLength(2)
})
