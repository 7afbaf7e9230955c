import type { DeskOrders, DeskWork } from './desk.js'

/** From the server thread to the backup thread. */
export type DeskRequest = { [W in DeskWork]: { readonly work: W; readonly order: DeskOrders[W] } }[DeskWork]

/** What the backup thread tells the server thread while it works. */
export interface DeskProgress {
  readonly step: string
  readonly finished: number
  readonly total: number
}
