import { expect, test } from 'vitest'
import { configOf, launch, run, surroundings } from './launch.fixture.js'
import { readConfig } from './read-config.js'

// Master keys, spec 1 §4.1, §6.3 and §8 case 58

test('production refuses to start without a master key and proposes one', async () => {
  expect(await launch({ argv: ['--env', 'production'] })).toEqual({
    kind: 'refuse',
    message:
      'In production a master key of at least 16 bytes is required, and none was given. For example: --master-key GENERATED',
    exitCode: 1,
  })
})

test('production refuses a key of 15 bytes, naming both lengths, and accepts one of 16', async () => {
  const withKey = (key: string) => launch({ argv: ['--env', 'production', '--master-key', key] })
  expect(await withKey('fifteen bytes..')).toEqual({
    kind: 'refuse',
    message:
      'In production the master key must have at least 16 bytes; the one given has 15. For example: --master-key GENERATED',
    exitCode: 1,
  })
  expect(await withKey('sixteen bytes...')).toMatchObject({ kind: 'run', warnings: [] })
  // Eight characters of two bytes each.
  expect(await withKey('éééééééé')).toMatchObject({ kind: 'run', warnings: [] })
})

test('development warns of a missing or short key and proposes one', async () => {
  expect((await run({})).warnings).toEqual([expect.stringMatching(/no master key.*--master-key GENERATED$/)])
  const short = await run({ argv: ['--master-key', 'short'] })
  expect(short.config.masterKey).toBe('short')
  expect(short.warnings).toEqual([expect.stringMatching(/5 bytes.*16 bytes.*--master-key GENERATED$/)])
})

test('an empty master key counts as set', async () => {
  expect((await configOf({ env: { MEILI_MASTER_KEY: '' } })).masterKey).toBe('')
})

test('a proposed key is 32 random bytes in URL-safe base64 without padding', async () => {
  const { generateKey: _, ...withoutGenerator } = surroundings({})
  const proposals = await Promise.all([readConfig(withoutGenerator), readConfig(withoutGenerator)])
  const keysProposed = proposals.map((proposal) =>
    proposal.kind === 'run' ? proposal.warnings[0]?.split(' ').at(-1) : '',
  )
  expect(keysProposed[0]).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(keysProposed[0]).not.toBe(keysProposed[1])
})
