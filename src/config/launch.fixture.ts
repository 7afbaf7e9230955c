import type { Config } from './config.js'
import { type Launch, readConfig, type Surroundings } from './read-config.js'

/** What a test lets `readConfig` see. */
export interface Setting {
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Files by absolute path. The working directory is /srv. */
  readonly files?: Readonly<Record<string, string>>
}

export function surroundings({ argv = [], env = {}, files = {} }: Setting): Surroundings {
  const readFile = (path: string) => {
    const content = files[path]
    if (content === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' })
    return content
  }
  const machine = { memoryBytes: 3 * 1024 ** 3, processors: 8, hostName: 'search-1' }
  return { argv, env, cwd: '/srv', readFile, machine, generateKey: () => 'GENERATED' }
}

export const launch = (setting: Setting): Promise<Launch> => readConfig(surroundings(setting))

export async function run(setting: Setting): Promise<{ config: Config; warnings: readonly string[] }> {
  const result = await launch(setting)
  if (result.kind !== 'run') throw new Error(`did not start: ${JSON.stringify(result)}`)
  return result
}

export const configOf = async (setting: Setting): Promise<Config> => (await run(setting)).config

export const file = (content: string): Setting => ({ files: { '/srv/config.toml': content } })
