import { expect, test } from 'vitest'
import { Notifications } from './notifications.js'

test('the coordinator sends, once', async () => {
  const notifications = new Notifications()
  expect(await notifications.isOurs(3, true)).toBe(true)
  expect(await notifications.isOurs(3, true)).toBe(false)
  notifications.ended(3)
  expect(notifications.sent).toBe(3)
})

test('what is on its way does not count as sent', async () => {
  const notifications = new Notifications()
  for (const sequence of [3, 5, 6]) await notifications.isOurs(sequence, true)
  notifications.ended(5)
  expect(notifications.sent).toBe(2)
  notifications.ended(3)
  expect(notifications.sent).toBe(5)
  notifications.ended(6)
  expect(notifications.sent).toBe(6)
})

test('the others wait until they hear that it was done', async () => {
  const notifications = new Notifications()
  const answers = [notifications.isOurs(3, false), notifications.isOurs(4, false), notifications.isOurs(5, false)]
  notifications.sentBy(4)
  expect(await Promise.all(answers.slice(0, 2))).toEqual([false, false])
  notifications.takeOver()
  expect(await answers[2]).toBe(true)
  notifications.ended(5)
  expect([notifications.sent, await notifications.isOurs(4, true)]).toEqual([5, false])
})
