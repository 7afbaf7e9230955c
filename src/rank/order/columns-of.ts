import { IndexColumns } from '../../columns/index.js'
import type { SearchIndex } from '../../match/index.js'

const COLUMNS = Symbol('columns')

/** The facet columns of an index, at the commit that it stands at. What has not changed need not be read again. */
export function columnsOf(index: Pick<SearchIndex, 'folder' | 'carry'>): IndexColumns {
  return index.carry<IndexColumns>(COLUMNS, (before) => {
    const columns = before ?? new IndexColumns(index.folder)
    columns.refresh()
    return columns
  })
}

/** The column of an attribute; undefined for one that no document ever had. */
export function columnOf(index: Pick<SearchIndex, 'folder' | 'carry' | 'fields'>, attribute: string) {
  const field = index.fields.idOf(attribute)
  return field === undefined ? undefined : columnsOf(index).of(field)
}
