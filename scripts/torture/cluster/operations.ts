/** A document, whose `written` names the attempt that wrote it. */
export interface Document {
  readonly id: string
  readonly written?: string
  readonly filler?: string
  readonly count?: number
}

/** What a writer wants to be done. It may take several attempts. */
export type Operation =
  | { readonly kind: 'put'; readonly index: string; readonly ids: readonly string[]; readonly fillerBytes: number }
  | { readonly kind: 'delete'; readonly index: string; readonly ids: readonly string[] }
  | { readonly kind: 'count'; readonly index: string; readonly id: string }
  | { readonly kind: 'settings'; readonly index: string }
  | { readonly kind: 'swap'; readonly indexes: readonly [string, string] }

export interface Request {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Of the writers: they are swapped now and then. */
export const SWAPPED = ['apples', 'pears'] as const
/** Stays what it is. */
export const READ_BACK = 'plums'
export const INDEXES = [...SWAPPED, READ_BACK] as const
/** Documents that are written by everybody, so that the order of tasks shows. */
const SHARED = 40
export const COUNTERS = ['counter-0', 'counter-1', 'counter-2'] as const
/** More than travels in the log itself. */
const LONG = { documents: 48, fillerBytes: 16_000 }

/** Draws the next operation of a writer, whose `sequence` makes a document of its own. */
export function drawOperation(random: () => number, writer: number, sequence: number): Operation {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const shared = () => `shared-${Math.floor(random() * SHARED)}`
  const index = pick(SWAPPED)
  const kind = random()
  if (kind < 0.1) return { kind: 'delete', index, ids: [shared(), `w${writer}-${Math.floor(random() * sequence)}`] }
  if (kind < 0.16) return { kind: 'count', index, id: pick(COUNTERS) }
  if (kind < 0.18) return { kind: 'settings', index }
  if (kind < 0.185) return { kind: 'swap', indexes: SWAPPED }
  if (kind < 0.19) {
    const ids = Array.from({ length: LONG.documents }, (_, i) => `long-${i}`)
    return { kind: 'put', index, ids, fillerBytes: LONG.fillerBytes }
  }
  return { kind: 'put', index, ids: [`w${writer}-${sequence}`, shared()], fillerBytes: 20 + Math.floor(random() * 400) }
}

/** The request of one attempt. Its label comes back with the task. */
export function requestOf(operation: Operation, label: string): Request {
  if (operation.kind === 'swap')
    return { method: 'POST', path: '/swap-indexes', body: [{ indexes: operation.indexes }] }
  const path = `/indexes/${operation.index}`
  const mark = `?customMetadata=${label}`
  switch (operation.kind) {
    case 'put':
      return { method: 'POST', path: `${path}/documents${mark}`, body: documentsOf(operation, label) }
    case 'delete':
      return { method: 'POST', path: `${path}/documents/delete-batch${mark}`, body: operation.ids }
    case 'count':
      return {
        method: 'POST',
        path: `${path}/documents/edit${mark}`,
        body: { filter: `id = "${operation.id}"`, function: 'doc.count += 1' },
      }
    case 'settings':
      return { method: 'PATCH', path: `${path}/settings`, body: { synonyms: synonymsOf(label) } }
  }
}

export interface SeenTask {
  readonly uid: number
  readonly status: string
  readonly type: string
  readonly customMetadata?: string
  readonly details?: { readonly synonyms?: Readonly<Record<string, unknown>> }
}

/** The attempt that a task came of. Swaps carry nothing to tell by: they are known by the uid that was answered. */
export const labelOf = ({ customMetadata, details }: SeenTask): string | undefined =>
  customMetadata ?? Object.keys(details?.synonyms ?? {})[0]

const synonymsOf = (label: string): Readonly<Record<string, readonly string[]>> => ({ [label]: ['written'] })

/** What an index has to hold. */
export interface ExpectedIndex {
  readonly documents: Map<string, Document>
  synonyms: Readonly<Record<string, readonly string[]>>
}

/** All indexes, as operations in their order make them. */
export class ExpectedIndexes {
  readonly byUid = new Map<string, ExpectedIndex>(
    INDEXES.map((uid) => [
      uid,
      { documents: new Map(COUNTERS.map((id): [string, Document] => [id, { id, count: 0 }])), synonyms: {} },
    ]),
  )

  apply(operation: Operation, label: string): void {
    if (operation.kind === 'swap') this.swap(operation.indexes)
    else this.applyTo(this.byUid.get(operation.index)!, operation, label)
  }

  private applyTo(index: ExpectedIndex, operation: Exclude<Operation, { kind: 'swap' }>, label: string): void {
    const { documents } = index
    switch (operation.kind) {
      case 'put':
        for (const document of documentsOf(operation, label)) documents.set(document.id, document)
        return
      case 'delete':
        for (const id of operation.ids) documents.delete(id)
        return
      case 'count': {
        const { id, count = 0 } = documents.get(operation.id)!
        documents.set(id, { id, count: count + 1 })
        return
      }
      case 'settings':
        index.synonyms = synonymsOf(label)
        return
    }
  }

  private swap([one, other]: readonly [string, string]): void {
    const [first, second] = [this.byUid.get(one)!, this.byUid.get(other)!]
    this.byUid.set(one, second).set(other, first)
  }
}

function documentsOf({ ids, fillerBytes }: Operation & { kind: 'put' }, label: string): Document[] {
  const text = `written by ${label} `
  const filler = text.repeat(Math.ceil(fillerBytes / text.length))
  return ids.map((id) => ({ id, written: label, filler }))
}
