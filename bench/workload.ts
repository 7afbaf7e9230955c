import { BenchServer } from './bench-server.js'
import type { Report } from './report.js'

/** Something that is measured, with a server of its own. */
export interface Workload {
  readonly name: string
  run(bench: Bench): Promise<void>
}

/** How much some workloads do; what is not said is little. */
export interface Sizes {
  readonly documents?: number
  readonly rounds?: number
  readonly readBacks?: number
  readonly batches?: number
}

/** What workloads share: where the server is, where figures go, how thorough to be. */
export class Bench {
  constructor(
    readonly report: Report,
    private readonly target: { readonly url?: string; readonly key?: string },
    /** A run of a few minutes: fewer documents and rounds. Its figures say less. */
    readonly isShort: boolean,
    readonly sizes: Sizes = {},
  ) {}

  /** Whether the server is one of ours, started here, whose process can be looked at. */
  get startsServers(): boolean {
    return this.target.url === undefined
  }

  /** Opens a server, empty if it is started here, and closes it when the work is done. */
  async withServer(work: (server: BenchServer) => Promise<void>, flags: readonly string[] = []): Promise<void> {
    const server = await BenchServer.open({ ...this.target, flags })
    try {
      await work(server)
    } finally {
      await server.close()
    }
  }
}

/** Searches on a set of documents. */
export interface SearchSet {
  readonly index: string
  readonly primaryKey: string
  readonly settings: object
  readonly searches: readonly { readonly kind: string; readonly body: object }[]
}

export type Document = Record<string, unknown>
