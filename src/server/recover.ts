import type { Config } from '../config/index.js'
import type { RecoveredLog } from './cluster/recover-log.js'

/** See `cluster/recover-log.ts`, which is loaded for whoever needs it: servers of their own know nothing of logs. */
export async function recoverLog(config: Config): Promise<RecoveredLog> {
  const { recoverLog: recover } = await import('./cluster/recover-log.js')
  return recover(config)
}
