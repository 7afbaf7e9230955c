/** One write that was sent. Its number travels as `customMetadata`, so that its task can be recognized. */
export interface Operation {
  readonly number: number
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: readonly Document[] | readonly string[]
}

export interface Document {
  readonly id: string
  /** The operation that wrote it, and the same number spelled out over some length: a torn document cannot match. */
  readonly written?: number
  readonly filler?: string
  readonly merged?: number
}

export interface SeenTask {
  readonly uid: number
  readonly status: string
  readonly type: string
  readonly customMetadata?: string
}

export const fillerOf = (operation: number): string => `operation ${operation} `.repeat(1 + (operation % 40))

/** What was sent and what was promised (answered with 202). */
export class Ledger {
  readonly sent = new Map<string, Operation>()
  /** Task uid to operation number. */
  readonly promised = new Map<number, string>()

  /** The documents that must be there after these tasks, in their order. */
  expectedDocuments(tasks: readonly SeenTask[]): Map<string, Document> {
    const documents = new Map<string, Document>()
    for (const task of tasks) {
      if (task.status !== 'succeeded') continue
      const operation = this.sent.get(task.customMetadata ?? '')
      if (operation !== undefined) applyOperation(documents, operation)
    }
    return documents
  }
}

function applyOperation(documents: Map<string, Document>, { method, path, body = [] }: Operation): void {
  if (method === 'DELETE') {
    documents.delete(path.slice(path.lastIndexOf('/') + 1))
    return
  }
  for (const entry of body) {
    if (typeof entry === 'string') documents.delete(entry)
    else documents.set(entry.id, method === 'PUT' ? { ...documents.get(entry.id), ...entry } : entry)
  }
}
