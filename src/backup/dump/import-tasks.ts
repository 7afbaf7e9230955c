import { createReadStream } from 'node:fs'
import type { ReceivedPayload } from '../../payload/index.js'
import { type PayloadFormat, receivePayload } from '../../payload/index.js'
import type { Batch, Task, TaskQueue } from '../../tasks/index.js'
import { BadArchive } from '../archive/bad-archive.js'
import type { TaskArrival } from './dump-reader.js'

export interface TaskImportServices {
  readonly queue: Pick<TaskQueue, 'store' | 'receivePayload'>
  readonly report: (line: string) => void
}

/** Records of one transaction. */
const PAGE = 1000

export async function importBatches(batches: AsyncIterable<Batch>, { queue }: TaskImportServices): Promise<void> {
  for await (const page of pages(batches)) {
    await queue.store.write(() => {
      for (const batch of page) queue.store.putBatch(batch)
    })
  }
}

/** A task with its payload in its place. */
interface Arrived {
  readonly task: Task
  /** What goes into the task store. */
  readonly inline: Buffer | undefined
}

export async function importTasks(tasks: AsyncIterable<TaskArrival>, services: TaskImportServices): Promise<void> {
  const { store } = services.queue
  let count = 0
  for await (const page of pages(tasks)) {
    const arrived: Arrived[] = []
    for (const arrival of page) arrived.push(await arrive(arrival, services))
    await store.write(() => {
      const known = store.all()
      const arriving = new Set<number>()
      for (const { task } of arrived) {
        if (known.has(task.uid) || arriving.has(task.uid)) throw doubled(task)
        arriving.add(task.uid)
      }
      store.change(arrived.map(({ task }) => ({ after: task })))
      for (const { task, inline } of arrived) if (inline !== undefined) store.putPayload(task.uid, inline)
    })
    count += page.length
  }
  services.report(`${count} tasks`)
}

const doubled = ({ uid }: Task): BadArchive => new BadArchive(`tasks/queue.jsonl: task ${uid} is in it twice`)

async function arrive({ task, payload }: TaskArrival, services: TaskImportServices): Promise<Arrived> {
  const { content } = task
  if (content.type !== 'documentAdditionOrUpdate') return { task: { ...task, content }, inline: undefined }
  // The documents of a finished task are gone; what is left is that there were some.
  const received =
    task.status === 'enqueued' ? await receive(payload, services) : { place: 'inline' as const, content: Buffer.of() }
  if (received.place === 'file')
    return { task: { ...task, content: { ...content, payload: received } }, inline: undefined }
  const inline = { place: 'inline', bytes: received.content.length } as const
  return {
    task: { ...task, content: { ...content, payload: inline } },
    inline: task.status === 'enqueued' ? received.content : undefined,
  }
}

/** No file means no documents. */
async function receive(payload: TaskArrival['payload'], services: TaskImportServices): Promise<ReceivedPayload> {
  const receiver = services.queue.receivePayload()
  const format: PayloadFormat = payload?.format ?? { name: 'json' }
  const body = payload === null ? [NO_DOCUMENTS] : createReadStream(payload.file.path, { highWaterMark: 1 << 20 })
  const received = await receivePayload(format, body, receiver)
  if (received.ok) return receiver.finish()
  await receiver.discard()
  if (payload !== null && received.failure.code === 'missing_payload') return receive(null, services)
  throw new BadArchive(`${payload?.file.place}: ${received.failure.message}`)
}

const NO_DOCUMENTS = Buffer.from('[]')

async function* pages<T>(items: AsyncIterable<T>): AsyncGenerator<T[], void, void> {
  let page: T[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
