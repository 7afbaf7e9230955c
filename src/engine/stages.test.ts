import { expect, test } from 'vitest'
import { durationText, Stages } from './stages.js'

test.each([
  [0.2952949, '295.29µs'],
  [3.5649, '3.56ms'],
  [1200, '1.20s'],
  [0, '0.00µs'],
])('%d milliseconds are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('durations of one stage are added up', () => {
  const stages = new Stages(true)
  stages.add('b', 1)
  stages.add('a', 2)
  stages.add('b', 3)
  expect(stages.print()).toBe(',"performanceDetails":{"b":"4.00ms","a":"2.00ms"}')
})

test('a stage that nobody asked for is run and not told', () => {
  const stages = new Stages(false)
  expect(stages.measure('a', () => 5)).toBe(5)
  expect(stages.print()).toBe('')
})

test('a stage that fails is told all the same', () => {
  const stages = new Stages(true)
  expect(() =>
    stages.measure('a', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(stages.print()).toContain('"a":')
})

test('a stage beside others is told without their time', async () => {
  const stages = new Stages(true)
  stages.measureRest('all', () => {
    stages.add('part', 5_000)
    stages.add('part', 1_000)
  })
  const { performanceDetails: told } = JSON.parse(`{"a":1${stages.print()}}`)
  expect(told.part).toBe('6.00s')
  // Nothing of the kind took place.
  expect(told.all).toMatch(/^-/)
})

test('the shorter names leave out the stages that hold others', () => {
  const stages = Stages.ofRequest(true, { queuedMs: 1 })
  stages.add('search > execute local search > format', 2)
  stages.add('search > execute local search', 3)
  stages.add('search > merge results > personalization', 4)
  stages.add('search > merge results', 5)
  stages.add('search', 6)
  expect(JSON.parse(`{"a":1${stages.printFlat()}}`).performanceDetails).toEqual({
    'wait in queue': '1.00ms',
    'search > format': '2.00ms',
    'search > personalization': '4.00ms',
    search: '6.00ms',
  })
})
