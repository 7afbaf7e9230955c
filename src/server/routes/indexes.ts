import { fail } from '../../errors/index.js'
import { indexUid, nullable, object, optional, queryParam, required, text, uintParam } from '../../shape/index.js'
import type { CatalogueEntry } from '../../tasks/index.js'
import { json } from '../answers/answer.js'
import { enqueueTask } from '../enqueue.js'
import { jsonBody, route } from '../http/route.js'

const primaryKey = optional(nullable(text), 'invalid_index_primary_key')

export const routes = [
  route({
    method: 'GET',
    path: '/indexes',
    action: 'indexes.get',
    query: {
      offset: queryParam(uintParam, 'invalid_index_offset'),
      limit: queryParam(uintParam, 'invalid_index_limit'),
    },
    handle({ context, auth, query }) {
      const { offset = 0, limit = 20 } = query
      const visible = context.tasks.catalogue.list().filter((entry) => auth.isIndexAllowed(entry.uid))
      return json(200, {
        results: visible.slice(offset, offset + limit).map(indexView),
        offset,
        limit,
        total: visible.length,
      })
    },
  }),

  route({
    method: 'POST',
    path: '/indexes',
    action: 'indexes.create',
    body: jsonBody(object({ uid: required(indexUid, 'invalid_index_uid', 'missing_index_uid'), primaryKey })),
    async handle(call) {
      const { uid, primaryKey } = call.body
      if (!call.auth.isIndexAllowed(uid)) return { ok: false, failure: call.auth.refusal(uid) }
      return enqueueTask(call, { type: 'indexCreation', indexUid: uid, primaryKey: primaryKey ?? null })
    },
  }),

  route({
    method: 'GET',
    path: '/indexes/{index_uid}',
    action: 'indexes.get',
    handle({ context, params }) {
      const entry = context.tasks.catalogue.get(params.index_uid)
      return entry === undefined ? fail('index_not_found', params.index_uid) : json(200, indexView(entry))
    },
  }),

  route({
    method: 'PATCH',
    path: '/indexes/{index_uid}',
    action: 'indexes.update',
    body: jsonBody(
      object(
        { uid: optional(nullable(indexUid), 'invalid_index_uid'), primaryKey },
        { immutable: { createdAt: 'immutable_index_created_at', updatedAt: 'immutable_index_updated_at' } },
      ),
    ),
    async handle(call) {
      const { uid, primaryKey } = call.body
      // Tasks and batches are shown by the names of their indexes: a new name must not open those of others.
      if (uid && !call.auth.isIndexAllowed(uid)) return { ok: false, failure: call.auth.refusal(uid, 'uid') }
      const content = { indexUid: call.params.index_uid, primaryKey: primaryKey ?? null, newIndexUid: uid ?? null }
      return enqueueTask(call, { type: 'indexUpdate', ...content })
    },
  }),

  route({
    method: 'DELETE',
    path: '/indexes/{index_uid}',
    action: 'indexes.delete',
    handle: (call) => enqueueTask(call, { type: 'indexDeletion', indexUid: call.params.index_uid }),
  }),

  route({
    method: 'POST',
    path: '/indexes/{index_uid}/compact',
    action: 'indexes.compact',
    handle: (call) => enqueueTask(call, { type: 'indexCompaction', indexUid: call.params.index_uid }),
  }),
]

function indexView({ uid, stats }: CatalogueEntry): Record<string, unknown> {
  return { uid, createdAt: stats.createdAt, updatedAt: stats.updatedAt, primaryKey: stats.primaryKey }
}
