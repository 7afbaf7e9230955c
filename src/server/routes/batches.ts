import { fail } from '../../errors/index.js'
import { fromPlain, print } from '../../json/index.js'
import { uint32Param } from '../../shape/index.js'
import { jsonText } from '../answers/answer.js'
import { route } from '../http/route.js'
import { indexScope, listQuery, pageRequest, taskFilter } from './task-filters.js'

export const routes = [
  route({
    method: 'GET',
    path: '/batches',
    action: 'tasks.get',
    query: listQuery,
    handle({ query, auth, context }) {
      const page = context.tasks.batches(taskFilter(query), pageRequest(query), indexScope(auth))
      return jsonText(200, print(fromPlain(page)))
    },
  }),

  route({
    method: 'GET',
    path: '/batches/{batch_id}',
    action: 'tasks.get',
    handle({ params, auth, context }) {
      const uid = uint32Param.read(params.batch_id, 'batch_id', 'invalid_batch_uids')
      if (!uid.ok) return uid
      const view = context.tasks.batch(uid.value, indexScope(auth))
      return view === undefined ? fail('batch_not_found', uid.value) : jsonText(200, print(fromPlain(view)))
    },
  }),
]
