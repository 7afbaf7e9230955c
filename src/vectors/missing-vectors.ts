import type { FieldRegistry, StoredDocument } from '../documents/index.js'
import { storedValue } from '../documents/index.js'
import { suggest } from '../errors/index.js'

export interface MissingVectors {
  readonly indexUid: string
  readonly embedder: string
  readonly documentId: string
  /** How many other documents lack vectors. */
  readonly others: number
  readonly document: StoredDocument
}

/** What to say when documents came without vectors that only their users can make (spec 7 §1.10). */
export function describeMissing(missing: MissingVectors, registry: FieldRegistry): string {
  const { indexUid, embedder, documentId, others } = missing
  const rest = others === 0 ? '' : ` and ${others} other document${others === 1 ? '' : 's'}`
  const what = `Index \`${indexUid}\`: document ${JSON.stringify(documentId)}${rest} came without vectors of the embedder \`${embedder}\``
  return `${what}, which nobody else can make. They belong into \`_vectors.${embedder}\`. ${hints(missing, registry)}`
}

function hints({ embedder, document }: MissingVectors, registry: FieldRegistry): string {
  const names = document.map(({ fieldId }) => registry.nameOf(fieldId))
  const near = [
    ...nearNames('_vectors', names).map((name) => `the field \`${name}\``),
    ...nearNames(embedder, embeddersIn(document, registry)).map((name) => `\`_vectors.${name}\``),
  ]
  if (near.length > 0) return `Is ${near.join(', or ')} what should hold them?`
  return `A document that shall have none says so with \`_vectors.${embedder}: null\`.`
}

function embeddersIn(document: StoredDocument, registry: FieldRegistry): string[] {
  const vectors = registry.idOf('_vectors')
  const stored = document.find(({ fieldId }) => fieldId === vectors)
  const value = stored && storedValue(stored.value)
  return value instanceof Map ? [...value.keys()] : []
}

/** The two that look most like a name that was probably meant. */
function nearNames(wanted: string, names: readonly string[]): string[] {
  const others = names.filter((name) => name !== wanted)
  const first = suggest(wanted, others)
  if (first === undefined) return []
  const second = suggest(
    wanted,
    others.filter((name) => name !== first),
  )
  return second === undefined ? [first] : [first, second]
}
