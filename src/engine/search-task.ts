import type { Reading } from '../match/index.js'
import type { PartSearch } from '../rank/index.js'
import type { EngineContext } from './engine-context.js'
import type { SearchQuery } from './search-query.js'
import type { Stages } from './stages.js'

/** A search of one index. */
export interface SearchTask<Context extends EngineContext = EngineContext> {
  readonly uid: string
  readonly query: SearchQuery
  readonly context: Context
  readonly stages: Stages
  /** What a model made of the query (`embedQuery`). Absent or null where none was asked, or it had no answer. */
  readonly embedded?: Float32Array | null
  /** How the filter is read, where it is not read as on the routes for searches. */
  readonly reading?: Reading
  /** When ranking must stop, where several searches share their time. */
  readonly deadline?: number
  /** Its hits will stand among those of other searches, by their scores. */
  readonly isPartOfMore?: boolean
  /** Other documents of the index are searched elsewhere: what is good enough here need not be so for all of them. */
  readonly part?: PartSearch | undefined
}
