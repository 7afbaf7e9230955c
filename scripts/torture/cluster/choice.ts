import type { ClusterServer } from '../../cluster/local-cluster.js'

/** The server that a client speaks with. */
export class Choice {
  constructor(
    private readonly servers: readonly ClusterServer[],
    private position: number,
  ) {}

  get server(): ClusterServer {
    return this.servers[this.position % this.servers.length]!
  }

  next(): void {
    this.position++
  }
}
