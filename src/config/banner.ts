import type { Config } from './config.js'
import { INTERFACE_VERSION, packageVersion } from './version.js'

const LABELS = {
  configFilePath: 'Configuration file',
  dbPath: 'Data folder',
  url: 'Address',
  environment: 'Environment',
  version: 'Version',
  telemetry: 'Telemetry',
  keys: 'API keys',
} as const

/** What is told when the server listens (spec 1 §6.6). Holds no secret. */
export type LaunchFacts = Readonly<Record<keyof typeof LABELS, string>>

export function launchFacts(config: Config, url: string): LaunchFacts {
  return {
    configFilePath: config.configFilePath ?? 'none',
    dbPath: config.dbPath,
    url,
    environment: config.environment,
    version: `${packageVersion()} (interface ${INTERFACE_VERSION})`,
    telemetry: 'none: Findling sends nothing',
    keys: config.masterKey === null ? 'off: there is no master key' : 'GET /keys with the master key lists them',
  }
}

/** The facts as lines to read. */
export function bannerText(facts: LaunchFacts): string {
  const names = Object.keys(LABELS) as (keyof LaunchFacts)[]
  const width = Math.max(...names.map((name) => LABELS[name].length)) + 2
  const lines = names.map((name) => `  ${`${LABELS[name]}:`.padEnd(width)}${facts[name]}`)
  return `Findling is ready.\n${lines.join('\n')}\n`
}
