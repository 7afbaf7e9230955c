import { join } from 'node:path'
import { FailureError, fail, type Result } from '../../errors/index.js'
import { type EnqueueOptions, type NewTask, receivedWith, type Task } from '../../tasks/index.js'
import { type Clock, formatTimestamp } from '../../time/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { ReplicatedLog } from '../log/model.js'
import { LogUnavailable } from '../log/problems.js'
import type { AcceptedTask, ClusterRecord, StateRecord } from '../records/record.js'
import { appendRecord } from '../records/record-log.js'
import type { PayloadExchange } from './payload-exchange.js'
import type { Position } from './positions.js'
import type { StateWriter } from './replicated-state.js'
import type { Runtime } from './runtime.js'
import { type SentGroup, TaskGroups } from './task-groups.js'

export interface LogWriterOptions {
  /** Of this server. */
  readonly name: string
  readonly ledger: Ledger
  readonly registered: Position
  readonly payloads: PayloadExchange
  /** The folder of payloads. */
  readonly updatesPath: string
  readonly clock: Clock
  readonly runtime: Pick<Runtime, 'after' | 'newId'>
  readonly log: () => Promise<ReplicatedLog>
  readonly timeoutMs: number
}

/** Brings tasks and changes of state into the log, and waits until this server has applied them as well. */
export class LogWriter implements StateWriter {
  readonly newId: () => string
  private readonly groups: TaskGroups
  private readonly answers = new Map<string, (tasks: readonly Result<Task>[]) => void>()

  constructor(private readonly options: LogWriterOptions) {
    const { newId, after } = options.runtime
    this.newId = newId
    this.groups = new TaskGroups((tasks) => this.send(tasks), after)
  }

  async register(content: NewTask, options: EnqueueOptions): Promise<Result<Task>> {
    try {
      return await this.groups.add(await this.accept(content, options))
    } catch (error) {
      if (error instanceof LogUnavailable) return fail('cluster_unavailable', this.options.name)
      throw error
    }
  }

  /** What became of tasks of the log, by the ids of their entries. */
  answer(registered: ReadonlyMap<string, readonly Result<Task>[]>): void {
    for (const [id, tasks] of registered) this.answers.get(id)?.(tasks)
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

  private async send(tasks: readonly AcceptedTask[]): Promise<SentGroup> {
    const id = this.newId()
    const answered = new Promise<readonly Result<Task>[]>((resolve) => this.answers.set(id, resolve))
    const forget = () => this.answers.delete(id)
    try {
      const sequence = await this.appendAs(id, { kind: 'task', tasks })
      return {
        answered: this.applied(sequence)
          .then(() => answered)
          .finally(forget),
      }
    } catch (error) {
      forget()
      throw error
    }
  }

  private async bring(id: string, record: StateRecord, after: number): Promise<void> {
    await this.applied(await this.appendAs(id, record, after))
  }

  private async appendAs(id: string, record: ClusterRecord, after?: number): Promise<number> {
    const { timeoutMs } = this.options
    return appendRecord(await this.options.log(), id, record, { timeoutMs, ...(after === undefined ? {} : { after }) })
  }

  /** Until this server has applied what it appended. */
  private async applied(sequence: number): Promise<void> {
    const { registered, timeoutMs } = this.options
    if (!(await registered.reach(sequence, timeoutMs)))
      throw new LogUnavailable('what was appended did not come back in time')
  }

  private async accept(content: NewTask, options: EnqueueOptions): Promise<AcceptedTask> {
    const { payloads, updatesPath, clock } = this.options
    const payload = receivedWith(content)
    const blob = payload?.place === 'file' ? await payloads.put(join(updatesPath, payload.name)) : undefined
    return { enqueuedAt: formatTimestamp(clock()), content, options, ...(blob && { blob }) }
  }
}
