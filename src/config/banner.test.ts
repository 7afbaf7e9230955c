import { expect, test } from 'vitest'
import { bannerText, launchFacts } from './banner.js'
import { readConfig } from './read-config.js'

async function banner(...argv: readonly string[]): Promise<string> {
  const readFile = () => 'no_analytics = true'
  const launch = await readConfig({ argv, env: {}, cwd: '/srv', readFile })
  if (launch.kind !== 'run') throw new Error('did not start')
  return bannerText(launchFacts(launch.config, 'http://localhost:7700'))
}

test('the banner tells file, data folder, address, environment, version, telemetry and where keys are', async () => {
  const lines = (await banner('--master-key', 'a-key-nobody-may-read')).split('\n')
  expect(lines).toEqual([
    'Findling is ready.',
    '  Configuration file: /srv/config.toml',
    '  Data folder:        /srv/data.ms',
    '  Address:            http://localhost:7700',
    '  Environment:        development',
    expect.stringMatching(/^ {2}Version: {12}\d+\.\d+\.\d+ \(interface 1\.49\.0\)$/),
    '  Telemetry:          none: Findling sends nothing',
    '  API keys:           GET /keys with the master key lists them',
    '',
  ])
})

test('the banner says that there are no keys without a master key', async () => {
  expect(await banner()).toContain('off: there is no master key')
})
