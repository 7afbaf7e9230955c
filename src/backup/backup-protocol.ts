import type { Problem } from '../tasks/index.js'
import type { DeskOrders, DeskWork } from './desk.js'

/** From the server thread to the backup thread. */
export type DeskRequest = { [W in DeskWork]: { readonly work: W; readonly order: DeskOrders[W] } }[DeskWork]

/** From the backup thread to the server thread. */
export type DeskReply =
  | { readonly is: 'progress'; readonly step: string; readonly finished: number; readonly total: number }
  | { readonly is: 'done'; readonly value: unknown }
  | { readonly is: 'problem'; readonly problem: Problem }
