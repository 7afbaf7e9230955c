import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { entryOf, idsOf, report, seconds } from './log.fixture.js'
import type { LogEntry, ReplicatedLog } from './model.js'
import { LogMoved } from './problems.js'

export interface WriterOptions {
  /** Ids begin with it. */
  readonly prefix?: string
  readonly plain?: number
  /** Those that append entries of the kind `batch` by compare-and-set. Each says in its body what it was appended after. */
  readonly setting?: number
}

/** Acknowledged entries after which writers are taken to go on. */
const GOING_ON = 200

/** Append as fast as they can and keep what was acknowledged. */
export class Writers {
  /** Sequence by id. */
  readonly acknowledged = new Map<string, number>()
  /** Ids that were too late and must not be in the log. */
  readonly refused = new Set<string>()
  private readonly running: Promise<unknown>
  private isStopping = false
  private lastAt = performance.now()
  private longestGapMs = 0

  constructor(
    private readonly log: ReplicatedLog,
    { prefix = 'e', plain = 7, setting = 1 }: WriterOptions = {},
  ) {
    this.running = Promise.all([
      ...Array.from({ length: plain }, (_, writer) => this.write(`${prefix}-${writer}`)),
      ...Array.from({ length: setting }, (_, writer) => this.compareAndSet(`${prefix}-set${writer}`)),
    ])
  }

  /** Resolves when writing has gone on for a while after what was done to the servers. */
  async goOn(): Promise<void> {
    // What is on its way may still be acknowledged by a server that does not know yet.
    await sleep(2_000)
    const { size } = this.acknowledged
    while (this.acknowledged.size < size + GOING_ON) await Promise.race([sleep(50), this.running])
  }

  async stop(): Promise<void> {
    this.isStopping = true
    await this.running
  }

  summary(): string {
    const { acknowledged, refused, longestGapMs } = this
    return `${acknowledged.size} acknowledged, ${refused.size} too late, longest gap ${seconds(longestGapMs)}`
  }

  private async write(prefix: string): Promise<void> {
    for (let i = 0; !this.isStopping; i++) {
      const id = `${prefix}-${i}`
      this.note(id, await this.log.append(entryOf(id)))
    }
  }

  private async compareAndSet(prefix: string): Promise<void> {
    for (let i = 0; !this.isStopping; i++) {
      const id = `${prefix}-${i}`
      const after = await this.log.last('batch')
      try {
        this.note(id, await this.log.append({ id, kind: 'batch', body: Buffer.from(`${after}`) }, { after }))
      } catch (error) {
        if (!(error instanceof LogMoved)) throw error
        this.refused.add(id)
      }
    }
  }

  private note(id: string, sequence: number): void {
    this.acknowledged.set(id, sequence)
    const now = performance.now()
    this.longestGapMs = Math.max(this.longestGapMs, now - this.lastAt)
    this.lastAt = now
  }
}

/** Reads along from the first entry. */
export class Follower {
  readonly entries: LogEntry[] = []
  longestGapMs = 0
  private readonly stopping = new AbortController()
  private readonly running: Promise<void>

  constructor(log: ReplicatedLog) {
    this.running = this.read(log)
  }

  async stopAt(sequence: number): Promise<void> {
    const end = performance.now() + 60_000
    while (this.entries.length < sequence && performance.now() < end) await sleep(20)
    this.stopping.abort()
    await this.running
  }

  private async read(log: ReplicatedLog): Promise<void> {
    let lastAt = performance.now()
    for await (const entry of log.read(1, { signal: this.stopping.signal })) {
      this.entries.push(entry)
      const now = performance.now()
      this.longestGapMs = Math.max(this.longestGapMs, now - lastAt)
      lastAt = now
    }
  }
}

/** Nothing acknowledged is missing, nothing is there twice, readers saw the same, and compare-and-set made a chain. */
export async function checkHistory(
  log: ReplicatedLog,
  writers: readonly Writers[],
  readers: readonly Follower[],
): Promise<void> {
  const last = await log.last()
  const started = performance.now()
  for (const reader of readers) await reader.stopAt(last)
  const gaps = readers.map(({ longestGapMs }) => seconds(longestGapMs)).join(' and ')
  report(`readers: longest gaps ${gaps}, at the end after another ${seconds(performance.now() - started)}`)
  const [one, two] = readers.map(({ entries }) => entries)
  expect(one!.map(({ sequence }) => sequence)).toEqual(Array.from({ length: last }, (_, i) => i + 1))
  expect(idsOf(one!)).toEqual(idsOf(two!))
  expect(new Set(idsOf(one!)).size).toBe(last)
  expectChain(one!)
  for (const { acknowledged, refused } of writers) {
    expect([...acknowledged].filter(([id, sequence]) => one![sequence - 1]?.id !== id)).toEqual([])
    expect(idsOf(one!).filter((id) => refused.has(id))).toEqual([])
  }
}

/** Every batch was appended after the one before it. */
function expectChain(entries: readonly LogEntry[]): void {
  const batches = entries.filter(({ kind }) => kind === 'batch')
  const before = batches.map(({ body }) => Number(Buffer.from(body).toString()))
  expect(before).toEqual([0, ...batches.map(({ sequence }) => sequence)].slice(0, batches.length))
}
