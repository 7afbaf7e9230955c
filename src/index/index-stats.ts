import { Bitmap } from '../bitmap/index.js'
import { compareBytes } from '../byte-order/index.js'
import { CorruptBytes } from '../bytes/index.js'
import type { FieldId } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { readDocSet, readEmbedders } from '../vectors/index.js'
import { areSetsDue } from './sets/sets-due.js'

export interface IndexStats {
  readonly primaryKey: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly numberOfDocuments: number
  readonly rawDocumentDbSize: number
  readonly avgDocumentSize: number
  /** Names in byte order, each with the number of documents that hold it. */
  readonly fieldDistribution: readonly (readonly [name: string, count: number])[]
  /** Bytes of the whole folder. */
  readonly sizeBytes: number
  /** Those that are not free. */
  readonly usedBytes: number
  /** Where they are, by database. */
  readonly databaseBytes: Readonly<Record<string, number>>
  readonly numberOfEmbeddings: number
  /** Documents with a vector of any embedder. */
  readonly numberOfEmbeddedDocuments: number
  /** What searches need to be fast wants to be renewed: see `refreshSets`. */
  readonly areSetsDue: boolean
}

/** Bytes of the key of a document and of the head of its entry. */
const ENTRY_BYTES = 8

/** Names that are stored with documents but are not attributes of theirs. */
const NOT_COUNTED = new Set(['_vectors'])

/** What the stats routes and the index object show, as of the last commit. */
export function indexStats(folder: IndexFolder): IndexStats {
  const meta = folder.meta()
  if (meta === undefined) throw new CorruptBytes(`${folder.environment.title} has lost what is known of it`)
  const { documentCount } = meta
  const databaseBytes = folder.environment.databaseSizes()
  const rawDocumentDbSize = documentCount === 0 ? 0 : (databaseBytes.documents ?? 0)
  return {
    primaryKey: meta.primaryKey,
    createdAt: meta.createdAt,
    updatedAt: meta.updatedAt,
    numberOfDocuments: documentCount,
    rawDocumentDbSize,
    // What a document takes, with its share of pages that are not full.
    avgDocumentSize: documentCount === 0 ? 0 : Math.floor(rawDocumentDbSize / documentCount) - ENTRY_BYTES,
    fieldDistribution: distribution(folder, meta.fieldCounts),
    sizeBytes: folder.environment.fileBytes(),
    usedBytes: Object.values(databaseBytes).reduce((sum, bytes) => sum + bytes, 0),
    databaseBytes,
    ...embeddings(folder),
    areSetsDue: areSetsDue(folder),
  }
}

function embeddings({ databases }: IndexFolder): Pick<IndexStats, 'numberOfEmbeddings' | 'numberOfEmbeddedDocuments'> {
  const records = readEmbedders(databases.main)
  const embedded = records.map(({ id }) => readDocSet(databases.vectorSets, id, 'embedded'))
  return {
    numberOfEmbeddings: records.reduce((sum, { vectorCount }) => sum + vectorCount, 0),
    numberOfEmbeddedDocuments: Bitmap.orMany(embedded).size,
  }
}

function distribution(folder: IndexFolder, counts: readonly (number | null)[]): [string, number][] {
  const registry = folder.readFields()
  const named: [string, number][] = []
  for (const [id, count] of counts.entries()) {
    const name = registry.nameOf(id as FieldId)
    if (count && !NOT_COUNTED.has(name)) named.push([name, count])
  }
  return named.sort(([a], [b]) => compareBytes(a, b))
}
