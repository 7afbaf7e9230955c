import type { SimulatedServer, World } from './server.fixture.js'

export interface NemesisParts extends World {
  readonly servers: readonly SimulatedServer[]
  readonly stormMs: number
}

type Blow = () => void

/** Kills, stops, cuts off and holds elections, at times that follow from the seed. */
export class Nemesis {
  private hasEnded = false

  constructor(private readonly parts: NemesisParts) {}

  begin(): void {
    const { random, time, stormMs } = this.parts
    for (let count = random.whole(0, 8); count > 0; count--) {
      const blow = this.choose()
      time.after(random.between(0, stormMs), () => {
        if (!this.hasEnded) blow()
      })
    }
  }

  /** Servers that were killed are started by whoever ends this. */
  end(): void {
    this.hasEnded = true
    this.parts.stream.heal()
    for (const { running } of this.parts.servers) if (running !== undefined) running.process.stoppedUntil = 0
  }

  private choose(): Blow {
    const { random, servers, stream, time, trace } = this.parts
    const server = random.pick(servers)
    const ms = random.chance(0.3) ? random.between(3_000, 20_000) : random.between(50, 3_000)
    switch (random.whole(0, 7)) {
      case 0:
      case 1:
      case 2:
        return () => this.kill(server)
      case 3:
        return () => {
          for (const each of servers) this.kill(each)
        }
      case 4:
        return () => void server.stop().then(() => this.startLater(server))
      case 5:
        return () => {
          trace(`the log elects for ${ms.toFixed()} ms`)
          stream.elect(ms)
        }
      case 6:
        return () => {
          trace(`${server.name} is cut off for ${ms.toFixed()} ms`)
          stream.cutOff(server.name, ms)
        }
      default:
        return () => {
          trace(`${server.name} stands still for ${ms.toFixed()} ms`)
          if (server.running !== undefined) server.running.process.stoppedUntil = time.now + ms
        }
    }
  }

  /** At any of its next steps. */
  private kill(server: SimulatedServer): void {
    const { running } = server
    if (running === undefined) return
    running.process.killAfter(this.parts.random.whole(0, 30))
    void running.ended.then(() => this.startLater(server))
  }

  private startLater(server: SimulatedServer): void {
    const { random, time } = this.parts
    time.after(random.chance(0.3) ? random.between(2_000, 10_000) : random.between(10, 2_000), () => {
      if (!this.hasEnded) server.start()
    })
  }
}
