import { expect, test } from 'vitest'
import { EventCounters } from './events.js'

const usage = (model: string, workspace = 'w') => ({
  workspace,
  model,
  promptTokens: 1,
  completionTokens: 2,
  totalTokens: 3,
})

test('tokens are added up for each workspace and model', () => {
  const events = new EventCounters()
  for (const each of [usage('a'), usage('a'), usage('b'), usage('a', 'v')]) events.countChatTokens(each)
  expect(events.chatTokenCounts).toEqual([
    { ...usage('a'), promptTokens: 2, completionTokens: 4, totalTokens: 6 },
    usage('b'),
    usage('a', 'v'),
  ])
})

test('clients cannot fill the memory with names of models', () => {
  const events = new EventCounters()
  for (let i = 0; i < 1500; i++) events.countChatTokens(usage(`${i} ${'x'.repeat(1000)}`))
  const counted = events.chatTokenCounts
  expect(counted).toHaveLength(1001)
  expect(counted.at(-1)).toMatchObject({ model: 'other', promptTokens: 500 })
  expect(Math.max(...counted.map(({ model }) => model.length))).toBe(100)
})
