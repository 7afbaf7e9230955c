import { expect, test } from 'vitest'
import { runKillRounds } from './kill/run.js'

test('nothing that was promised is lost when the server is killed at any instant', async () => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  console.log(`kill test with seed ${seed}`)
  expect(await runKillRounds({ kills: 10, seed })).toBeGreaterThan(0)
}, 240_000)
