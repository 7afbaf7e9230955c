import { expect, test } from 'vitest'
import { hugeBodies } from '../scripts/torture/bodies.js'
import { manyConnections, slowClients } from '../scripts/torture/clients.js'
import { clockJumps } from '../scripts/torture/clock.js'
import { damagedFiles } from '../scripts/torture/damage.js'
import type { PartOptions } from '../scripts/torture/part.js'
import { stallingRequests } from '../scripts/torture/stall.js'

/** The shortest form of what `npm run torture` does for minutes. */
function options(): PartOptions {
  const seed = Math.floor(Math.random() * 2 ** 32)
  console.log(`seed ${seed}`)
  return { seed, minutes: 0, isShort: true, progress: () => {} }
}

const LIMIT_MS = 120_000

test(
  'thousands of connections are answered and given back',
  async () => {
    expect(await manyConnections(options())).toMatch(/^1000 connections/)
  },
  LIMIT_MS,
)

test(
  'slow clients make nobody else wait',
  async () => {
    expect(await slowClients(options())).toMatch(/beside 600 slow clients/)
  },
  LIMIT_MS,
)

test(
  'huge and deep bodies are taken or refused, and the server goes on',
  async () => {
    expect(await hugeBodies(options())).toMatch(/taken or refused/)
  },
  LIMIT_MS,
)

test(
  'requests that are made to stall the server do not',
  async () => {
    expect(await stallingRequests(options())).toMatch(/^22 attacks/)
  },
  LIMIT_MS,
)

test(
  'tasks keep their order when the clock jumps',
  async () => {
    expect(await clockJumps(options())).toMatch(/tasks in order/)
  },
  LIMIT_MS,
)

test(
  'a flipped byte in a backup, a payload or a value of an index is reported, not served',
  async () => {
    expect(await damagedFiles(options())).toMatch(/damaged payloads failed their tasks.*values of indexes were noticed/)
  },
  LIMIT_MS,
)
