import { IndexColumns } from '../../columns/index.js'
import type { IndexFolder } from '../../folder/index.js'
import type { SearchIndex } from '../../match/index.js'

const COLUMNS = Symbol('columns')

/** Columns outlive versions of their index: what has not changed need not be read again. */
const byFolder = new WeakMap<IndexFolder, IndexColumns>()

/** The facet columns of an index, at the commit that it stands at. */
export function columnsOf(index: Pick<SearchIndex, 'folder' | 'derive'>): IndexColumns {
  return index.derive(COLUMNS, () => {
    const columns = byFolder.get(index.folder) ?? new IndexColumns(index.folder)
    byFolder.set(index.folder, columns)
    columns.refresh()
    return columns
  })
}

/** The column of an attribute; undefined for one that no document ever had. */
export function columnOf(index: Pick<SearchIndex, 'folder' | 'derive' | 'fields'>, attribute: string) {
  const field = index.fields.idOf(attribute)
  return field === undefined ? undefined : columnsOf(index).of(field)
}
