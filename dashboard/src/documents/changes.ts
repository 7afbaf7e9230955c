import { ask, client } from '../server/client.js'
import { failureOf, isUnauthorized } from '../server/failure.js'
import { lookAround } from '../server/overview.js'
import { pathOf } from './pages.js'

const POLL_MS = 100

/** Whether it is done, or only sent, as a key may change documents and not see tasks. */
export type Outcome = 'done' | 'sent'

/** Replaces it, or adds it where there is none of its id; returns when it is done. */
export async function storeDocument(index: string, text: string): Promise<Outcome> {
  const { taskUid } = await client.value.index(index).addDocumentsFromString(text, 'application/json')
  return outcomeOf(taskUid)
}

export async function removeDocument(index: string, id: string): Promise<Outcome> {
  const path = `${pathOf(index)}/documents/${encodeURIComponent(id)}`
  const { taskUid } = await ask<{ taskUid: number }>('delete', path)
  return outcomeOf(taskUid)
}

async function outcomeOf(taskUid: number): Promise<Outcome> {
  const task = await client.value.tasks.waitForTask(taskUid, { timeout: 0, interval: POLL_MS }).catch(unlessRefused)
  if (task?.error) throw new Error(`${task.error.message} (${task.error.code})`)
  await lookAround()
  return task === undefined ? 'sent' : 'done'
}

/** Undefined for what the key does not allow. */
export function unlessRefused(error: unknown): undefined {
  if (!isUnauthorized(failureOf(error))) throw error
}
