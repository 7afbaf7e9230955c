import { join } from 'node:path'
import { FailureError, fail, type Result } from '../../errors/index.js'
import { type EnqueueOptions, type NewTask, receivedWith, type Task } from '../../tasks/index.js'
import { type Clock, formatTimestamp } from '../../time/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { ReplicatedLog } from '../log/model.js'
import { LogUnavailable } from '../log/problems.js'
import type { StateRecord, TaskRecord } from '../records/record.js'
import { appendRecord } from '../records/record-log.js'
import type { PayloadExchange } from './payload-exchange.js'
import type { Position } from './positions.js'
import type { StateWriter } from './replicated-state.js'

export interface LogWriterOptions {
  /** Of this server. */
  readonly name: string
  readonly ledger: Ledger
  readonly registered: Position
  readonly payloads: PayloadExchange
  /** The folder of payloads. */
  readonly updatesPath: string
  readonly clock: Clock
  readonly newId: () => string
  readonly log: () => Promise<ReplicatedLog>
  readonly timeoutMs: number
}

/** Brings tasks and changes of state into the log, and waits until this server has applied them as well. */
export class LogWriter implements StateWriter {
  readonly newId: () => string
  private readonly answers = new Map<string, (task: Result<Task>) => void>()

  constructor(private readonly options: LogWriterOptions) {
    this.newId = options.newId
  }

  async register(content: NewTask, options: EnqueueOptions): Promise<Result<Task>> {
    const id = this.newId()
    const answered = new Promise<Result<Task>>((resolve) => this.answers.set(id, resolve))
    try {
      await this.bring(id, await this.taskRecord(content, options))
      return await answered
    } catch (error) {
      if (error instanceof LogUnavailable) return fail('cluster_unavailable', this.options.name)
      throw error
    } finally {
      this.answers.delete(id)
    }
  }

  /** What became of tasks of the log, by the ids of their entries. */
  answer(registered: ReadonlyMap<string, Result<Task>>): void {
    for (const [id, task] of registered) this.answers.get(id)?.(task)
  }

  lastState(): number {
    return this.options.ledger.lastOf('state')
  }

  append(id: string, record: StateRecord, after: number): Promise<void> {
    return this.bring(id, record, after).catch(this.refuse)
  }

  async laterState(than: number): Promise<void> {
    const { registered, timeoutMs } = this.options
    try {
      const last = await (await this.options.log()).last('state')
      await registered.reach(Math.max(last, than + 1), timeoutMs)
    } catch (error) {
      this.refuse(error)
    }
  }

  /** Changes of state have no result in which a refusal could come back. */
  private readonly refuse = (cause: unknown): never => {
    if (!(cause instanceof LogUnavailable)) throw cause
    throw new FailureError(fail('cluster_unavailable', this.options.name).failure, { cause })
  }

  private async bring(id: string, record: TaskRecord | StateRecord, after?: number): Promise<void> {
    const { registered, timeoutMs } = this.options
    const log = await this.options.log()
    const sequence = await appendRecord(log, id, record, { timeoutMs, ...(after === undefined ? {} : { after }) })
    if (!(await registered.reach(sequence, timeoutMs)))
      throw new LogUnavailable('what was appended did not come back in time')
  }

  private async taskRecord(content: NewTask, options: EnqueueOptions): Promise<TaskRecord> {
    const { payloads, updatesPath, clock } = this.options
    const payload = receivedWith(content)
    const blob = payload?.place === 'file' ? await payloads.put(join(updatesPath, payload.name)) : undefined
    return { kind: 'task', enqueuedAt: formatTimestamp(clock()), content, options, ...(blob && { blob }) }
  }
}
