import type { FieldId, FieldRegistry } from '../documents/index.js'
import { fieldOf, type StoredDocument, textOf } from '../documents/index.js'
import type { IndexDatabases } from '../folder/index.js'
import { floatText } from '../json/index.js'
import { EmbedderReader } from './embedder-reader.js'
import { readEmbedders } from './embedder-records.js'

/** Vectors as JSON, numbers as the doubles that they are equal to (spec 7 §1.16). */
export function vectorsJson(vectors: readonly Float32Array[]): string {
  return `[${vectors.map((vector) => `[${Array.from(vector, floatText).join(',')}]`).join(',')}]`
}

/** Prints `_vectors` of documents: what they came with for names that are no embedders, then embedder by embedder. */
export class VectorsPrinter {
  private readonly field: FieldId | undefined
  private readonly readers: readonly EmbedderReader[]

  constructor(folder: { readonly databases: IndexDatabases }, registry: FieldRegistry) {
    this.field = registry.idOf('_vectors')
    this.readers = readEmbedders(folder.databases.main).map((record) => new EmbedderReader(folder.databases, record))
  }

  print(docId: number, document: StoredDocument): string {
    return this.joined(
      document,
      this.readers.map((reader) => embedderJson(reader, docId)),
    )
  }

  /**
   * The same for dumps and exports, without embedders that know nothing of the document; undefined when nothing is left.
   * What fragments made is not made again elsewhere (spec 2 §6.2).
   */
  printKept(docId: number, document: StoredDocument): string | undefined {
    const own = this.readers
      .filter(({ embedded, fixed }) => embedded.has(docId) || fixed.has(docId))
      .map((reader) => embedderJson(reader, docId, reader.record.fragments.length > 0 || reader.fixed.has(docId)))
    const text = this.joined(document, own)
    return text === '{}' ? undefined : text
  }

  private joined(document: StoredDocument, own: readonly string[]): string {
    const stored = this.field === undefined ? undefined : fieldOf(document, this.field)
    const others = stored === undefined ? '' : textOf(stored).slice(1, -1)
    return `{${[...(others === '' ? [] : [others]), ...own].join(',')}}`
  }
}

function embedderJson(reader: EmbedderReader, docId: number, isKept = reader.fixed.has(docId)): string {
  const embeddings = vectorsJson(reader.vectors(docId as Parameters<EmbedderReader['vectors']>[0]))
  return `${JSON.stringify(reader.record.name)}:{"embeddings":${embeddings},"regenerate":${!isKept}}`
}
