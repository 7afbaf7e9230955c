import { expect, test } from 'vitest'
import { growingShards } from '../scripts/torture/shards.js'

test('a third server takes its share and gives it back while documents are written and servers are killed', async () => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  console.log(`seed ${seed}`)
  const options = { seed, minutes: 0, isShort: true, kills: 3, progress: () => {} }
  expect(await growingShards(options)).toMatch(/answers were complete/)
}, 240_000)
