import { workerData } from 'node:worker_threads'
import { ok, type Result } from '../errors/index.js'
import { createOutbound } from '../outbound/index.js'
import { BlockedAsker, type BlockingThreadData } from '../threads/index.js'
import { parseConfig } from './config.js'
import { Embedders } from './embedders.js'
import { fromSent, PULSE_EVERY_MS, type Reply, type Request, type ThreadOptions } from './embedding-protocol.js'

/** The embedding thread: asks embedders for a thread that is blocked meanwhile. */
const data = workerData as BlockingThreadData & { options: ThreadOptions }
const asker = new BlockedAsker<Reply>(data)
const running = new Map<number, AbortController>()
const { embedding, networks, userAgent } = data.options
const embedders = new Embedders({
  ...embedding,
  client: createOutbound({ networks, userAgent }),
  onRequest: (problem) => data.port.postMessage({ kind: 'request', problem } satisfies Reply),
})

setInterval(() => asker.beat(), PULSE_EVERY_MS).unref()
data.port.on('message', receive)

async function receive(request: Request): Promise<void> {
  if (request.kind === 'cancel') return running.get(request.id)?.abort()
  const { id } = request
  const controller = new AbortController()
  running.set(id, controller)
  try {
    asker.reply({ kind: 'done', id, result: await handle(request, controller.signal) })
  } catch (error) {
    const { message, stack } = error as Error
    asker.reply({ kind: 'surprise', id, message: String(message ?? error), stack })
  } finally {
    running.delete(id)
  }
}

async function handle(
  request: Exclude<Request, { kind: 'cancel' }>,
  signal: AbortSignal,
): Promise<Result<number | Float32Array[]>> {
  const embedder = await embedders.open(request.name, parseConfig(request.config))
  if (!embedder.ok) return embedder
  if (request.kind === 'open') return ok(embedder.value.dimensions)
  return embedder.value.embedDocuments(request.inputs.map(fromSent), signal)
}
