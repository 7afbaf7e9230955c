import { CorruptBytes } from '../../bytes/index.js'
import type { DocId, FieldChoice, FieldRegistry } from '../../documents/index.js'
import { FailureError } from '../../errors/index.js'
import type { IndexFolder, IndexMeta } from '../../folder/index.js'
import { readSettings } from '../../folder/index.js'
import { NestedNames } from './nested-names.js'

/** Whether nested names of documents may be unknown: the index was made by a version that did not know all of them. */
export function lacksNames(folder: IndexFolder): boolean {
  const meta = readableMeta(folder)
  return meta !== undefined && !meta.hasAllNames
}

/** Damage is told to those who need what is damaged. */
function readableMeta(folder: IndexFolder): IndexMeta | undefined {
  try {
    return folder.meta()
  } catch (error) {
    if (error instanceof CorruptBytes) return undefined
    throw error
  }
}

/** Makes the missing names of an index known, in a transaction of its own. Looks at every document, once in its life. */
export function completeNames(folder: IndexFolder): void {
  if (!lacksNames(folder)) return
  folder.maintain(() => addMissingNames(folder))
}

/** As `completeNames`, inside a transaction. */
export function addMissingNames(folder: IndexFolder): void {
  const registry = folder.fields()
  try {
    readNames(folder, registry)
  } catch (error) {
    // An index that is full stays as it is: it knows as many names as it can.
    if (!(error instanceof FailureError)) throw error
  }
  if (registry.hasGrown) folder.putFields(registry)
  folder.putMeta({ ...folder.meta()!, hasAllNames: true })
}

function readNames(folder: IndexFolder, registry: FieldRegistry): void {
  const isChosen = unnamedFields(folder, registry)
  const names = new NestedNames(registry)
  for (const docId of folder.docIds()) {
    const document = folder.document(docId as DocId, isChosen)!
    names.of(document, ({ fieldId }) => registry.know(fieldId))
  }
}

/** What is searched was always named, so that only positions are left where everything is. */
function unnamedFields(folder: IndexFolder, registry: FieldRegistry): FieldChoice {
  if (readSettings(folder).searchableAttributes !== '*') return () => true
  const geo = registry.idOf('_geo')
  return (fieldId) => fieldId === geo
}
