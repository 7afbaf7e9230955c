import type { TestServer } from '../server.js'
import { type Document, fillerOf, type Ledger, type Operation } from './ledger.js'

const INDEX = '/indexes/shop/documents'
const DOCUMENT_IDS = 200

/** Sends writes of all kinds until the server is gone, noting what was promised. */
export async function writeUntilKilled(server: TestServer, ledger: Ledger, random: () => number): Promise<void> {
  for (;;) {
    const operation = nextOperation(ledger, random)
    ledger.sent.set(String(operation.number), operation)
    const path = `${operation.path}?customMetadata=${operation.number}`
    try {
      const { status, body } = await server.request<{ taskUid: number }>(operation.method, path, operation.body)
      if (status !== 202) throw new Error(`${operation.method} ${operation.path} was answered ${status}`)
      ledger.promised.set(body.taskUid, String(operation.number))
    } catch (error) {
      if (isConnectionLost(error)) return
      throw error
    }
  }
}

function nextOperation({ sent }: Ledger, random: () => number): Operation {
  const number = sent.size
  const kind = random()
  if (kind < 0.15) return { number, method: 'DELETE', path: `${INDEX}/${idOf(random)}` }
  if (kind < 0.25) return { number, method: 'POST', path: `${INDEX}/delete-batch`, body: [idOf(random), idOf(random)] }
  if (kind < 0.45) return { number, method: 'PUT', path: INDEX, body: [{ id: idOf(random), merged: number }] }
  // Now and then a payload that is too large to travel with its task.
  const count = random() < 0.05 ? 400 : 1 + Math.floor(random() * 5)
  const body = Array.from(
    { length: count },
    (): Document => ({ id: idOf(random), written: number, filler: fillerOf(number) }),
  )
  return { number, method: 'POST', path: INDEX, body }
}

const idOf = (random: () => number): string => `d${Math.floor(random() * DOCUMENT_IDS)}`

function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE' || /socket hang up|aborted/.test(message)
}
