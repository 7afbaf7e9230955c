import type { JsonObject } from '../../json/index.js'
import type { PayloadFormat } from '../../payload/index.js'
import type { Batch } from '../../tasks/index.js'
import type { MemberFile } from './lines.js'
import type { DumpedTask } from './read-task.js'
import type { ServerState } from './server-state.js'

/** An index of a dump. Times are RFC 3339 text. */
export interface DumpedIndex {
  readonly uid: string
  readonly primaryKey: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** The body of a whole-settings PATCH, in the present form. */
  readonly settings: JsonObject
  /** One document a line. */
  readonly documents: MemberFile
}

/** A task of a dump, with its documents when it waits for them. */
export interface TaskArrival {
  readonly task: DumpedTask
  readonly payload: { readonly file: MemberFile; readonly format: PayloadFormat } | null
}

/** An unpacked dump in the present form, whichever form it is written in. */
export interface DumpReader {
  state(): Promise<ServerState>
  indexes(): AsyncIterable<DumpedIndex>
  batches(): AsyncIterable<Batch>
  tasks(): AsyncIterable<TaskArrival>
}
