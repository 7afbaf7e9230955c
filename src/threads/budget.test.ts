import { expect, test } from 'vitest'
import { BudgetSpent, checkBudget, spendAtMost, workOn } from './budget.js'

test('work goes on until its budget is spent', () => {
  let left = 2
  workOn({
    check() {
      if (left-- === 0) throw new BudgetSpent()
    },
  })
  let steps = 0
  try {
    expect(() => {
      for (;;) {
        checkBudget()
        steps++
      }
    }).toThrow(BudgetSpent)
  } finally {
    workOn(undefined)
  }
  expect(steps).toBe(2)
  expect(() => checkBudget()).not.toThrow()
})

test('a part of the work may have a limit of its own, which says what happens then', () => {
  const spend = (maxMs: number) =>
    spendAtMost(
      maxMs,
      () => {
        checkBudget()
        return 'done'
      },
      () => 'too long',
    )
  expect([spend(60_000), spend(-1)]).toEqual(['done', 'too long'])
  expect(() => checkBudget()).not.toThrow()
})

test('the limit of a part does not hide that of the whole', () => {
  const whole = new BudgetSpent('the whole')
  workOn({
    check() {
      throw whole
    },
  })
  try {
    expect(() =>
      spendAtMost(
        60_000,
        () => checkBudget(),
        () => {},
      ),
    ).toThrow(whole)
  } finally {
    workOn(undefined)
  }
})
