import { Bitmap } from '../../bitmap/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { evaluateFilter } from './evaluate.js'
import { conditionsOf, type Filter, type ForeignCondition } from './model.js'
import type { FilterTarget } from './target.js'

/** How many documents of one foreign index the filters of a request may find together (spec 4 §6.2). */
const MAX_FOREIGN_DOCUMENTS = 100

export interface ForeignIndex extends FilterTarget {
  /** The user's key of a document. */
  documentId(docId: number): string
}

/** What `_foreign` needs: the keys of the index and the way to the indexes they point to. */
export interface Joins {
  readonly indexUid: string
  /** The setting of the index; of two entries for one field the first counts. */
  readonly foreignKeys: readonly { readonly foreignIndexUid: string; readonly fieldName: string }[]
  /** Opens a foreign index, or fails with `index_not_found`. */
  open(indexUid: string): Result<ForeignIndex>
  /** Per foreign index, what the filters of the request have found so far. One map for a whole request. */
  readonly found: Map<string, Bitmap>
}

/** The same filter with each `_foreign(field, ...)` replaced by `field IN [ids of the documents found there]`. */
export function resolveForeign(filter: Filter, joins: Joins): Result<Filter> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return resolveOperands(filter.kind, filter.operands, joins)
    case 'not': {
      const operand = resolveForeign(filter.operand, joins)
      return operand.ok ? ok({ kind: 'not', operand: operand.value }) : operand
    }
    case 'foreign':
      return resolveCondition(filter, joins)
    default:
      return ok(filter)
  }
}

function resolveOperands(kind: 'and' | 'or', operands: readonly Filter[], joins: Joins): Result<Filter> {
  const resolved: Filter[] = []
  for (const operand of operands) {
    const outcome = resolveForeign(operand, joins)
    if (!outcome.ok) return outcome
    resolved.push(outcome.value)
  }
  return ok({ kind, operands: resolved })
}

function resolveCondition({ field, filter }: ForeignCondition, joins: Joins): Result<Filter> {
  const key = joins.foreignKeys.find(({ fieldName }) => fieldName === field.name)
  if (!key) return fail('invalid_search_filter', notAForeignKey(field.name, joins))
  for (const { kind } of conditionsOf(filter)) {
    if (kind === 'foreign') return fail('invalid_search_filter', '`_foreign` cannot be used inside `_foreign`.')
  }
  const index = joins.open(key.foreignIndexUid)
  if (!index.ok) return index
  const docIds = evaluateFilter(filter, index.value, 'invalid_document_filter')
  if (!docIds.ok) return docIds
  if (countFound(docIds.value, key.foreignIndexUid, joins) > MAX_FOREIGN_DOCUMENTS) {
    return fail(
      'invalid_search_filter',
      `\`_foreign\` found more than ${MAX_FOREIGN_DOCUMENTS} documents of the index \`${key.foreignIndexUid}\`, which is the limit: make its filter narrower.`,
    )
  }
  const values = Array.from(docIds.value, (docId) => index.value.documentId(docId))
  return ok({ kind: 'in', attribute: field, values })
}

function countFound(docIds: Bitmap, indexUid: string, { found }: Joins): number {
  const together = Bitmap.orMany([docIds, found.get(indexUid) ?? Bitmap.empty()])
  found.set(indexUid, together)
  return together.size
}

function notAForeignKey(field: string, { indexUid, foreignKeys }: Joins): string {
  const known = foreignKeys.map(({ fieldName }) => `\`${fieldName}\``).join(', ') || 'none'
  return `Index \`${indexUid}\`: the field ${shown(field)} of \`_foreign\` is not a foreign key; foreign keys are: ${known}.`
}
