/** How is a document stored? Field names as numbers, values packed with tables that were learnt from other documents. */
export { IdExtractor, idFromValue, MAX_ID_BYTES } from './document-id.js'
export { type FieldId, FieldRegistry, MAX_FIELDS, tooManyFields } from './fields/field-registry.js'
export { betterTable, isTimeToLearn } from './packing/learn-table.js'
export { type NumberedTable, StoredTables } from './packing/stored-tables.js'
export { SymbolTable } from './packing/symbol-table.js'
export { type DocumentValueSample, seenValues, spread, ValueSample } from './packing/value-sample.js'
export { PlainItems } from './plain-items.js'
export { inferPrimaryKey } from './primary-key.js'
export { type FieldSelection, selectedJson } from './select-fields.js'
export { SentOrder } from './sent-order.js'
export {
  type DocId,
  decodeDocument,
  decodeField,
  documentJson,
  encodeDocument,
  type FieldChoice,
  fieldOf,
  inSentOrder,
  mergeDocuments,
  type StoredDocument,
  type StoredField,
  sortByField,
  storedJson,
  tableNumberOf,
  textOf,
} from './stored-document.js'
export { isContainer, isEmptyContainer, RESERVED, storedValue, visitValues } from './visit-values.js'
