import type { LocalSite } from './local-cluster.js'

/** Starts again what somebody has killed. */
export class Guard {
  private readonly missingSince = new Map<string, number>()

  constructor(
    private readonly site: LocalSite,
    private readonly afterMs: number,
  ) {}

  async startAgain(): Promise<void> {
    for (const each of [...this.site.nats, ...this.site.servers]) {
      if (each.isRunning) {
        this.missingSince.delete(each.name)
        continue
      }
      const since = this.missingSince.get(each.name)
      if (since === undefined) this.missingSince.set(each.name, performance.now())
      else if (performance.now() - since > this.afterMs) await this.start(each)
    }
  }

  private async start(each: LocalSite['nats'][number] | LocalSite['servers'][number]): Promise<void> {
    await each.start()
    console.log(`Started ${each.name} again: kill -9 ${each.pid}`)
  }
}
