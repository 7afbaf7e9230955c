import { Bitmap } from '../bitmap/index.js'
import type { IndexDatabases } from '../folder/index.js'
import { type EmbedderRecord, readEmbedders } from './embedder-records.js'
import { readDocSet, type SetKind } from './stored-doc-set.js'
import { docIdOf, slotOf, vectorRange } from './vector-bytes.js'

/** Which vectors documents must have (spec 6 §6.7). */
export type VectorFilter =
  | { readonly part: 'any'; readonly embedder?: string }
  | { readonly part: 'userProvided' | 'documentTemplate' | 'regenerate'; readonly embedder: string }
  | { readonly part: 'fragment'; readonly embedder: string; readonly fragment: string }

type Databases = Pick<IndexDatabases, 'main' | 'vectors' | 'vectorSets'>

export function documentsWithVectors(databases: Databases, filter: VectorFilter): Bitmap {
  const { embedder: name } = filter
  const records = readEmbedders(databases.main).filter((record) => name === undefined || record.name === name)
  return Bitmap.orMany(records.map((record) => select(databases, record, filter)))
}

function select(databases: Databases, record: EmbedderRecord, filter: VectorFilter): Bitmap {
  const read = (kind: SetKind) => readDocSet(databases.vectorSets, record.id, kind)
  switch (filter.part) {
    case 'any':
      return read('embedded')
    case 'userProvided':
      return read('userProvided')
    case 'regenerate':
      return read('embedded').andNot(read('fixed'))
    case 'documentTemplate':
      return record.fragments.length > 0 ? Bitmap.empty() : read('embedded').andNot(read('userProvided'))
    case 'fragment':
      return withSlot(databases, record, record.fragments.indexOf(filter.fragment)).andNot(read('userProvided'))
  }
}

/** Looks at all keys of the embedder. */
function withSlot({ vectors }: Databases, { id }: EmbedderRecord, slot: number): Bitmap {
  const docIds: number[] = []
  for (const key of vectors.keys(vectorRange(id))) if (slotOf(key) === slot) docIds.push(docIdOf(key))
  return Bitmap.fromSorted(docIds)
}
