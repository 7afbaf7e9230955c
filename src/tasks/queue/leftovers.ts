import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PayloadFiles } from '../../payload/index.js'
import { payloadRefOf } from '../model/task.js'
import type { IndexCatalogue } from '../store/index-catalogue.js'
import type { TaskStore } from '../store/task-store.js'

export interface QueueFiles {
  readonly store: TaskStore
  readonly catalogue: IndexCatalogue
  readonly payloads: PayloadFiles
  readonly indexesPath: string
}

/** Deletes payloads and folders of requests and batches that a crash cut off: nothing refers to them. */
export function deleteLeftovers({ store, catalogue, payloads, indexesPath }: QueueFiles): void {
  payloads.deleteOthers(waitingPayloads(store))
  const folders = new Set(catalogue.list().map((entry) => entry.folder))
  for (const name of namesIn(indexesPath)) {
    if (!folders.has(name)) rmSync(join(indexesPath, name), { recursive: true, force: true })
  }
}

function waitingPayloads(store: TaskStore): Set<string> {
  const names = new Set<string>()
  for (const uid of store.withStatus('enqueued')) {
    const content = store.get(uid)?.content
    const payload = content && payloadRefOf(content)
    if (payload?.place === 'file') names.add(payload.name)
  }
  for (const payload of store.forwards.payloads()) if (payload.place === 'file') names.add(payload.name)
  return names
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
