import { ask, client } from '../server/client.js'
import { lookAround } from '../server/overview.js'
import { pathOf } from './pages.js'

const POLL_MS = 100

/** Replaces it, or adds it where there is none of its id; returns when it is done. */
export async function storeDocument(index: string, text: string): Promise<void> {
  const { taskUid } = await client.value.index(index).addDocumentsFromString(text, 'application/json')
  await finished(taskUid)
}

export async function removeDocument(index: string, id: string): Promise<void> {
  const path = `${pathOf(index)}/documents/${encodeURIComponent(id)}`
  const { taskUid } = await ask<{ taskUid: number }>('delete', path)
  await finished(taskUid)
}

async function finished(taskUid: number): Promise<void> {
  const { error } = await client.value.tasks.waitForTask(taskUid, { timeout: 0, interval: POLL_MS })
  if (error) throw new Error(`${error.message} (${error.code})`)
  await lookAround()
}
