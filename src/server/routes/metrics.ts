import { fail } from '../../errors/index.js'
import { text } from '../answers/answer.js'
import { route } from '../http/route.js'
import { exposeMetrics, METRICS_CONTENT_TYPE } from '../metrics/exposition.js'
import { readFamilies } from './metric-families.js'

export const routes = [
  route({
    method: 'GET',
    path: '/metrics',
    action: 'metrics.get',
    feature: { name: 'metrics', doing: 'Reading the metrics' },
    async handle({ context, auth }) {
      if (!auth.isUnrestricted) {
        return fail('invalid_api_key', 'The metrics concern all indexes: they need a key that opens all of them.')
      }
      return text(200, exposeMetrics(await readFamilies(context)), METRICS_CONTENT_TYPE)
    },
  }),
]
