import { compareBytes, sortedByName } from '../../byte-order/index.js'
import { fail } from '../../errors/index.js'
import { type JsonObject, type JsonValue, print } from '../../json/index.js'
import { boolParam, enumParam, queryParam } from '../../shape/index.js'
import { formatTimestamp } from '../../time/index.js'
import { jsonText } from '../answers/answer.js'
import { route } from '../http/route.js'
import { sizeText } from '../size-text.js'
import type { IndexStatistics } from '../statistics.js'
import { latestUpdate, readStoreSizes } from '../store-sizes.js'

const query = {
  showInternalDatabaseSizes: queryParam(boolParam, 'invalid_stats_show_internal_database_sizes'),
  sizeFormat: queryParam(enumParam(['raw', 'human']), 'invalid_stats_size_format'),
}

export const routes = [
  route({
    method: 'GET',
    path: '/stats',
    action: 'stats.get',
    query,
    async handle({ context, auth, query }) {
      const view = viewOf(query)
      const all = await context.indexStatistics.all()
      const visible = [...all].filter(([uid]) => auth.isIndexAllowed(uid)).sort(([a], [b]) => compareBytes(a, b))
      const { fileBytes, usedBytes } = await readStoreSizes(context)
      const lastUpdate = latestUpdate(visible.map(([, statistics]) => statistics))
      const stats: [string, JsonValue][] = [
        ['databaseSize', view.size(fileBytes)],
        ['usedDatabaseSize', view.size(usedBytes)],
        ['lastUpdate', lastUpdate === undefined ? null : formatTimestamp(lastUpdate)],
        ['indexes', new Map(visible.map(([uid, statistics]) => [uid, describe(statistics, view)]))],
      ]
      return jsonText(200, print(new Map(stats)))
    },
  }),

  route({
    method: 'GET',
    path: '/indexes/{index_uid}/stats',
    action: 'stats.get',
    query,
    async handle({ context, params, query }) {
      const statistics = await context.indexStatistics.one(params.index_uid)
      if (!statistics) return fail('index_not_found', params.index_uid)
      return jsonText(200, print(describe(statistics, viewOf(query))))
    },
  }),
]

interface View {
  readonly showsInternalSizes: boolean
  size(bytes: number): number | string
}

function viewOf(query: { sizeFormat?: 'raw' | 'human'; showInternalDatabaseSizes?: boolean }): View {
  return {
    showsInternalSizes: query.showInternalDatabaseSizes ?? false,
    size: query.sizeFormat === 'human' ? sizeText : (bytes) => bytes,
  }
}

/** A map and not a plain object, since field names that look like numbers would change places there. */
function describe(statistics: IndexStatistics, view: View): JsonObject {
  const internal: JsonObject = view.showsInternalSizes ? internalSizes(statistics, view) : new Map()
  const members: [string, JsonValue][] = [
    ['numberOfDocuments', statistics.numberOfDocuments],
    ['rawDocumentDbSize', view.size(statistics.rawDocumentDbBytes)],
    ['avgDocumentSize', view.size(statistics.avgDocumentBytes)],
    ['isIndexing', statistics.isIndexing],
    ...(internal.size > 0 ? [['internalDatabaseSizes', internal] satisfies [string, JsonValue]] : []),
    ['numberOfEmbeddings', statistics.numberOfEmbeddings],
    ['numberOfEmbeddedDocuments', statistics.numberOfEmbeddedDocuments],
    ['fieldDistribution', sortedByName(statistics.fieldDistribution)],
  ]
  return new Map(members)
}

/** Largest first, zeros left out. */
function internalSizes({ internalDatabaseBytes }: IndexStatistics, view: View): JsonObject {
  const sizes = Object.entries(internalDatabaseBytes).filter(([, bytes]) => bytes > 0)
  return new Map(sizes.sort(([, a], [, b]) => b - a).map(([name, bytes]) => [name, view.size(bytes)]))
}
