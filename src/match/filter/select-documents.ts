import type { Bitmap } from '../../bitmap/index.js'
import type { Result } from '../../errors/index.js'
import { type IndexFolder, readSettings } from '../../folder/index.js'
import { IndexFacets, StoredShards } from '../../index/index.js'
import { compileFieldRoles } from '../../settings/index.js'
import { evaluateFilter } from './evaluate.js'
import type { Filter } from './model.js'

/** An index whose documents are listed, deleted or edited by filter. */
export interface DocumentSource {
  readonly indexUid: string
  readonly folder: IndexFolder
}

/** The documents that a filter selects, with the codes of document routes. */
export function selectDocuments({ indexUid, folder }: DocumentSource, filter: Filter): Result<Bitmap> {
  const settings = readSettings(folder)
  const target = {
    indexUid,
    settings,
    roles: compileFieldRoles(settings),
    facets: new IndexFacets(folder),
    shards: new StoredShards(folder.databases.shards).of(),
  }
  return evaluateFilter(filter, target, 'invalid_document_filter')
}
