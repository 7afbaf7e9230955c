import { expect, test } from 'vitest'
import { StepTimes, timeText } from './step-times.js'

test('the time of a batch is told by step, one that comes again together', () => {
  let now = 1000
  const times = new StepTimes(() => now)
  const after = (ms: number, act: () => void) => {
    now += ms
    act()
  }
  after(1, () => times.enter('a'))
  after(2, () => times.enter('a'))
  after(3, () => times.enter('b'))
  after(10, () => times.enter('a'))
  after(20, () => {})
  expect(times.trace).toEqual({
    'processing tasks': '36.00ms',
    'processing tasks > a': '25.00ms',
    'processing tasks > b': '10.00ms',
  })
  times.beginWriting()
  after(0.25, () => {})
  expect(times.trace).toEqual({
    'processing tasks': '36.00ms',
    'processing tasks > a': '25.00ms',
    'processing tasks > b': '10.00ms',
    'writing tasks to disk': '250.00µs',
  })
})

test.each([
  [0, '0.00ns'],
  [0.000001, '1.00ns'],
  [0.0125, '12.50µs'],
  [12.345, '12.35ms'],
  [999.999, '1000.00ms'],
  [61_500, '61.50s'],
])('%s ms is %s', (ms, text) => {
  expect(timeText(ms)).toBe(text)
})
