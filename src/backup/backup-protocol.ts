import type { BackupOrders, BackupWork } from './backup-executor.js'

/** From the server thread to the backup thread. */
export type BackupRequest = { [W in BackupWork]: { readonly work: W; readonly order: BackupOrders[W] } }[BackupWork]

/** What the backup thread tells the server thread while it works. */
export interface BackupProgress {
  readonly step: string
  readonly finished: number
  readonly total: number
}
