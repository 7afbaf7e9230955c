import type { Facts, Logger } from '../../log/index.js'
import { formatTimestamp, timestampFromMs } from '../../time/index.js'
import { Ledger } from '../ledger/ledger.js'
import { LogUnavailable } from '../log/problems.js'
import { Member } from '../member/member.js'
import type { Faults } from './faults.fixture.js'
import { MemoryFolder, OpenFolder } from './folder.fake.js'
import { IndexTwin } from './index.twin.js'
import { Process } from './process.fixture.js'
import { QueueTwin } from './queue.twin.js'
import type { Random } from './random.fixture.js'
import { SimulatedLog } from './replicated-log.fake.js'
import type { SimulatedStream } from './stream.fake.js'
import type { VirtualTime } from './virtual-time.fixture.js'

export interface World {
  readonly time: VirtualTime
  readonly random: Random
  readonly faults: Faults
  readonly stream: SimulatedStream
  readonly trace: (line: string) => void
  readonly isListening: (name: string) => boolean
  /** Something happened that must not. */
  readonly violation: (what: string) => void
  readonly witness: {
    shown(server: SimulatedServer, sequence: number): void
    notified(server: SimulatedServer, sequence: number): void
  }
}

/** What runs while a server does. */
export interface Incarnation {
  readonly process: Process
  readonly member: Member
  readonly queue: QueueTwin
  readonly ledger: Ledger
  /** It takes no requests any longer. */
  isClosing: boolean
  /** Resolves when the process has ended: requests to it get no answer then. */
  readonly ended: Promise<void>
}

/** A machine: a disk, and now and then a server that runs on it. */
export class SimulatedServer {
  running: Incarnation | undefined
  readonly folders = { system: new MemoryFolder(), auth: new MemoryFolder(), index: new MemoryFolder() }
  private incarnations = 0
  private readonly skewMs: number

  constructor(
    readonly name: string,
    private readonly world: World,
  ) {
    this.skewMs = world.random.between(-3_600_000, 3_600_000)
  }

  start(): void {
    if (this.running !== undefined) return
    const { world, name } = this
    const incarnation = ++this.incarnations
    world.trace(`${name}: starts`)
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const process = new Process({
      name: `${name}${incarnation}`,
      time: world.time,
      isListening: async (url) => world.isListening(url),
      onDeath: () => {
        world.trace(`${name}: is dead`)
        this.running = undefined
        if (world.stream.listeners.get(name)?.process === process) world.stream.listeners.delete(name)
        end()
      },
    })
    const { member, queue, ledger } = this.assemble(process)
    this.running = { process, member, queue, ledger, ended, isClosing: false }
    member.start(queue)
    queue.start()
  }

  private assemble(process: Process): Pick<Incarnation, 'member' | 'queue' | 'ledger'> {
    const { world, name, folders } = this
    const { random, faults } = world
    const open = (folder: MemoryFolder) =>
      new OpenFolder(folder, process, random, () => ({ failure: faults.failedWrites }))
    const system = open(folders.system)
    const clock = () => timestampFromMs(1_800_000_000_000 + world.time.now + this.skewMs)
    const log = tracingLogger((line) => world.trace(`${name}: ${line}`))
    const queue = new QueueTwin({
      system,
      index: new IndexTwin(open(folders.index)),
      process,
      random,
      faults,
      log,
      now: () => formatTimestamp(clock()),
      witness: {
        shown: (sequence) => world.witness.shown(this, sequence),
        notified: (sequence) => world.witness.notified(this, sequence),
      },
    })
    const member = new Member({
      name,
      url: name,
      version: '1',
      openLog: () => this.openLog(process),
      system,
      auth: open(folders.auth),
      updatesPath: '',
      clock,
      log,
      onLost: (problem) => world.violation(`${name} cannot go on: ${problem.message}`),
      runtime: process,
    })
    queue.use(member)
    return { member, queue, ledger: new Ledger(folders.system) }
  }

  private async openLog(process: Process): Promise<SimulatedLog> {
    const { stream, random, faults } = this.world
    await process.wait(random.between(1, 50))
    if (stream.isCutOff(this.name) || random.chance(faults.lostMessages)) {
      await process.wait(1_000)
      throw new LogUnavailable('opening')
    }
    return new SimulatedLog(stream, this.name, process)
  }

  /** As by SIGTERM. */
  async stop(): Promise<void> {
    const { running } = this
    if (running === undefined) return
    this.world.trace(`${this.name}: stops`)
    running.isClosing = true
    await running.queue.stop()
    await running.member.close()
    running.process.kill()
  }
}

function tracingLogger(trace: (line: string) => void): Logger {
  const method = (first: string | Facts, message?: string): void => {
    const { error, ...facts }: Facts = typeof first === 'string' ? { text: first } : first
    trace(`${message} ${JSON.stringify(facts)} ${error instanceof Error ? error.message : ''}`)
  }
  const logger: Logger = {
    error: method,
    warn: method,
    info: method,
    debug: method,
    trace: method,
    child: () => logger,
  }
  return logger
}
