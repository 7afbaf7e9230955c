import { type MessagePort, workerData } from 'node:worker_threads'
import { ok, type Result } from '../errors/index.js'
import { createOutbound } from '../outbound/index.js'
import { parseConfig } from './config.js'
import { Embedders } from './embedders.js'
import {
  BELL,
  fromSent,
  PULSE,
  PULSE_EVERY_MS,
  type Reply,
  type Request,
  type ThreadOptions,
} from './embedding-protocol.js'

/**
 * The embedding thread: asks embedders for a thread that is blocked meanwhile. Replies go to a port that the other
 * side reads by itself, and the bell in shared memory wakes it up.
 */
const { options, port, shared } = workerData as { options: ThreadOptions; port: MessagePort; shared: SharedArrayBuffer }
const memory = new Int32Array(shared)
const running = new Map<number, AbortController>()
const { embedding, networks, userAgent } = options
const embedders = new Embedders({
  ...embedding,
  client: createOutbound({ networks, userAgent }),
  onRequest: (problem) => port.postMessage({ kind: 'request', problem } satisfies Reply),
})

setInterval(() => Atomics.add(memory, PULSE, 1), PULSE_EVERY_MS).unref()
port.on('message', receive)

async function receive(request: Request): Promise<void> {
  if (request.kind === 'cancel') return running.get(request.id)?.abort()
  const { id } = request
  const controller = new AbortController()
  running.set(id, controller)
  try {
    reply({ kind: 'done', id, result: await handle(request, controller.signal) })
  } catch (error) {
    const { message, stack } = error as Error
    reply({ kind: 'surprise', id, message: String(message ?? error), stack })
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

function reply(message: Reply): void {
  port.postMessage(message)
  Atomics.add(memory, BELL, 1)
  Atomics.notify(memory, BELL)
}
