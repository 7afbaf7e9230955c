import { Bitmap } from '../../bitmap/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import type { ReceivedPayload } from '../../payload/index.js'
import type { DeletionSelection, PayloadRef, Task, TaskContent } from '../model/task.js'
import type { TaskImport, TaskNetwork, TaskOrigin } from '../model/task-network.js'
import type { TaskStore } from '../store/task-store.js'

/** What a server says that sends a task of its own, or documents that it hands over. */
export interface ProxyFacts {
  readonly origin: TaskOrigin
  readonly import?: TaskImport
}

export interface EnqueueOptions {
  readonly customMetadata?: string
  /** The uid the task must get (only under the replication option). */
  readonly taskId?: number
  /** Answer as usual, store nothing. */
  readonly dryRun?: boolean
  /** What other servers of the network said about it. */
  readonly proxy?: ProxyFacts
}

/** Uids are stored in 32 bits. */
const HIGHEST_UID = 2 ** 32 - 1

/** The highest uid that a request may choose. Later tasks count on from it, and 294,967,295 of them are still to come. */
const HIGHEST_CHOSEN_UID = 4_000_000_000

/** What can be enqueued: contents whose payload is not yet in its place. */
export type NewTask =
  | Exclude<TaskContent, { type: 'documentAdditionOrUpdate' | 'documentDeletion' }>
  | NewAddition
  | NewDeletion
export type NewAddition = Omit<Extract<TaskContent, { type: 'documentAdditionOrUpdate' }>, 'payload'> & {
  readonly payload: ReceivedPayload
}
export type NewDeletion = Omit<Extract<TaskContent, { type: 'documentDeletion' }>, 'selection'> & {
  readonly selection:
    | Exclude<DeletionSelection, { by: 'idList' }>
    | { readonly by: 'idList'; readonly count: number; readonly payload: ReceivedPayload }
}

/** The payload that came with a request, if one did. */
export function receivedWith(content: NewTask): ReceivedPayload | undefined {
  if (content.type === 'documentAdditionOrUpdate') return content.payload
  const isLongDeletion = content.type === 'documentDeletion' && content.selection.by === 'idList'
  return isLongDeletion ? content.selection.payload : undefined
}

/** The same with another payload. */
export function withPayload(content: NewTask, payload: ReceivedPayload): NewTask {
  if (content.type === 'documentAdditionOrUpdate') return { ...content, payload }
  if (content.type !== 'documentDeletion' || content.selection.by !== 'idList') return content
  return { ...content, selection: { ...content.selection, payload } }
}

export interface RegistrarOptions {
  readonly store: TaskStore
  /** RFC 3339. */
  readonly now: () => string
  /** Bytes of the task store above which nothing more is registered (spec 2 §4.6). */
  readonly maxStoreBytes: number
  /**
   * What a task has to do with other servers, or why it is refused. Asked inside the transaction, so that changes of the
   * network and tasks are in one order for all.
   */
  readonly admission?: Admission | undefined
  /** Whether a task of a log counts, and what else comes of it. Asked inside the transaction, in the order of the log. */
  readonly loggedAdmission?: LoggedAdmission | undefined
}

export type LoggedAdmission = (content: NewTask) => Result<undefined>

export type Admission = (content: NewTask, options: EnqueueOptions) => Result<TaskNetwork | undefined>

interface Waiting {
  readonly content: NewTask
  readonly options: EnqueueOptions
  readonly network?: TaskNetwork | undefined
}

/** A task that a log of several servers holds. */
export interface LoggedTask extends Waiting {
  /** RFC 3339. */
  readonly enqueuedAt: string
}

/** Requests that are registered together. */
interface Group {
  readonly waiting: Waiting[]
  /** In the order of `waiting`, once all of them are on disk. */
  readonly registered: Promise<Result<Task>[]>
}

/**
 * Gives new tasks their uids and writes them. All that come while a commit is under way wait for the next one together,
 * and share its fsync and its changes of sets: a thousand requests at once cost little more than one.
 */
export class Registrar {
  private group: Group | undefined

  constructor(private readonly options: RegistrarOptions) {}

  /** Durable when it resolves. */
  async register(content: NewTask, options: EnqueueOptions): Promise<Result<Task>> {
    this.group ??= this.openGroup()
    const { waiting, registered } = this.group
    const place = waiting.push({ content, options }) - 1
    return (await registered)[place]!
  }

  /** The same inside a transaction that somebody else began. */
  registerNow(content: NewTask, options: EnqueueOptions): Result<Task> {
    return this.registerAll([{ content, options }])[0]!
  }

  /** The task as it would be. */
  preview(content: NewTask, options: EnqueueOptions): Result<Task> {
    const network = this.admissionOf({ content, options }, this.isFull)
    if (!network.ok) return network
    const request = { content, options, network: network.value, enqueuedAt: this.options.now() }
    return this.admit(request, this.options.store.nextTaskUid())
  }

  /**
   * Inside a transaction: registers tasks in the order of their log. All servers come to the same results: none refuses
   * for want of room, which is asked for before something gets into the log.
   */
  registerLogged(tasks: readonly LoggedTask[]): Result<Task>[] {
    const { store } = this.options
    let next = store.nextTaskUid()
    const results = tasks.map((request) => {
      const admitted = this.options.loggedAdmission?.(request.content) ?? ok(undefined)
      const task = admitted.ok ? this.admit(request, next) : admitted
      if (task.ok) next = task.value.uid + 1
      return task
    })
    store.change(results.flatMap((task) => (task.ok ? [{ after: task.value }] : [])))
    for (const [place, task] of results.entries()) {
      if (!task.ok) continue
      this.keepPayload(task.value, tasks[place]!.content)
      store.forwards.add(task.value)
    }
    return results
  }

  private openGroup(): Group {
    const waiting: Waiting[] = []
    const registered = this.options.store.write(() => {
      this.group = undefined
      return this.registerAll(waiting)
    })
    // Nobody may join a group whose transaction never began.
    registered.catch(() => (this.group = undefined))
    return { waiting, registered }
  }

  /** Inside a transaction. They become durable at the same moment, and are enqueued then. */
  private registerAll(waiting: readonly Waiting[]): Result<Task>[] {
    const enqueuedAt = this.options.now()
    const { isFull } = this
    const asked = waiting.map((request) => this.admissionOf(request, isFull))
    const admitted = asked.flatMap((network, i) =>
      network.ok ? [{ ...waiting[i]!, network: network.value, enqueuedAt }] : [],
    )
    const results = this.registerLogged(admitted).values()
    return asked.map((network) => (network.ok ? results.next().value! : network))
  }

  private admissionOf({ content, options }: Waiting, isFull: boolean): Result<TaskNetwork | undefined> {
    if (isFull && !isRelief(content)) return storeIsFull()
    return this.options.admission?.(content, options) ?? ok(undefined)
  }

  private admit({ content, options, network, enqueuedAt }: LoggedTask, next: number): Result<Task> {
    const { taskId, customMetadata } = options
    if (next > HIGHEST_UID) return noUidsLeft()
    if (taskId !== undefined && !mayChoose(taskId, next)) return badChoice(taskId, next)
    const uid = taskId ?? next
    return ok({
      uid,
      batchUid: null,
      status: 'enqueued',
      content: storedContent(content, uid),
      results: null,
      error: null,
      canceledBy: null,
      enqueuedAt,
      startedAt: null,
      finishedAt: null,
      ...(customMetadata === undefined ? {} : { customMetadata }),
      ...(network === undefined ? {} : { network }),
    })
  }

  private keepPayload({ uid }: Task, content: NewTask): void {
    const payload = receivedWith(content)
    if (payload?.place === 'inline') this.options.store.putPayload(uid, payload.content)
  }

  private get isFull(): boolean {
    return this.options.store.holds(this.options.maxStoreBytes)
  }
}

function storedContent(content: NewTask, uid: number): TaskContent {
  if (content.type === 'taskCancelation' || content.type === 'taskDeletion')
    return { ...content, ...withoutLater(content, uid) }
  if (content.type === 'documentAdditionOrUpdate') return { ...content, payload: lowerBound(content.payload) }
  if (content.type !== 'documentDeletion') return content
  const { selection } = content
  if (selection.by !== 'idList') return { ...content, selection }
  return { ...content, selection: { ...selection, payload: lowerBound(selection.payload) } }
}

function lowerBound(payload: ReceivedPayload): PayloadRef {
  return payload.place === 'file' ? payload : { place: 'inline', bytes: payload.content.length }
}

/** A task about tasks never chooses itself or later ones. */
function withoutLater({ tasks }: { readonly tasks: string }, uid: number): { matched: number; tasks: string } {
  const chosen = Bitmap.deserialize(Buffer.from(tasks, 'base64')).and(Bitmap.range(0, uid))
  return { matched: chosen.size, tasks: Buffer.from(chosen.serialize()).toString('base64') }
}

/** What may be registered although the store is full: it makes room. */
function isRelief(content: NewTask): boolean {
  return (content.type === 'taskCancelation' || content.type === 'taskDeletion') && content.matched > 0
}

function storeIsFull(): Result<never> {
  return fail(
    'no_space_left_on_device',
    'The task store is full: delete finished tasks with DELETE /tasks to make room.',
  )
}

function noUidsLeft(): Result<Task> {
  return fail(
    'no_space_left_on_device',
    `The task store is full: there is a task ${HIGHEST_UID}, the last one possible.`,
  )
}

const mayChoose = (taskId: number, next: number): boolean => taskId >= next && taskId <= HIGHEST_CHOSEN_UID

function badChoice(taskId: number, next: number): Result<Task> {
  const reason = `the next task can be any from ${next} to ${HIGHEST_CHOSEN_UID}, so that numbers are left for later ones`
  return fail('bad_request', `Header \`TaskId\`: ${reason}, not ${taskId}.`)
}
