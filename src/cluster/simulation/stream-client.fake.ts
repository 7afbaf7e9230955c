import { LogUnavailable } from '../log/problems.js'
import type { Process } from './process.fixture.js'
import type { SimulatedStream } from './stream.fake.js'

/** The way between one process and the servers of the log. */
export class StreamClient {
  /** When the last report to each member arrives: they do not overtake each other. */
  private readonly arrivals = new Map<string, number>()

  constructor(
    private readonly stream: SimulatedStream,
    private readonly name: string,
    private readonly process: Process,
  ) {}

  /**
   * Has the leader do something and answer. Either message may be late or lost; what was sent arrives even if the sender has
   * died meanwhile, and a leader that is being elected may find it later. With `mayBeStale` a lonely former leader answers too.
   */
  request<T>(effect: () => T, timeoutMs: number, mayBeStale = false): Promise<T> {
    const { stream, name, process } = this
    const { time } = stream.options
    return new Promise((resolve, reject) => {
      const cancel = process.after(timeoutMs, () => reject(new LogUnavailable('no answer')))
      const answer = (value: T): void => {
        if (this.isLost()) return
        process.after(stream.delayMs(), () => {
          if (stream.isCutOff(name) && !mayBeStale) return
          cancel()
          resolve(value)
        })
      }
      const arrive = (): void => {
        if (stream.isCutOff(name)) {
          const stale = mayBeStale ? stream.staleLast(name) : undefined
          if (stale !== undefined) answer(stale as T)
        } else if (stream.leaderAt === undefined) answer(effect())
        else if (stream.options.random.chance(0.3)) time.after(stream.leaderAt - time.now, arrive)
      }
      if (!this.isLost()) time.after(stream.delayMs(), arrive)
    })
  }

  tell(bytes: Uint8Array): void {
    const { stream, name } = this
    const { time, random, faults } = stream.options
    for (const [member, { process, hear }] of stream.listeners) {
      if (member === name || stream.isCutOff(name) || random.chance(faults.lostReports)) continue
      const at = Math.max(this.arrivals.get(member) ?? 0, time.now + stream.delayMs())
      this.arrivals.set(member, at)
      process.after(at - time.now, () => stream.isCutOff(member) || hear(bytes))
    }
  }

  private isLost(): boolean {
    const { random, faults } = this.stream.options
    return random.chance(faults.lostMessages)
  }
}
