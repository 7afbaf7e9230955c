import { failure } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { errorAnswer, json } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import { DashboardFiles } from '../dashboard/dashboard-files.js'
import { type Route, route } from '../http/route.js'

/** Something to look at in a browser. It is a client like any other: all it does, it does by the other routes. */
export function dashboardRoutes(files = new DashboardFiles()): readonly Route[] {
  const isShown = ({ config }: ServerContext): boolean => config.hasDashboard && files.isThere
  return [
    route({
      method: 'GET',
      path: '/',
      action: null,
      handle: ({ context, rawQuery }) =>
        isShown(context)
          ? files.page({ pictures: new URLSearchParams(rawQuery).has('pictures') })
          : json(200, { status: 'Findling is running' }),
    }),

    route({
      method: 'GET',
      path: '/dashboard/{file}',
      action: null,
      async handle({ context, params: { file } }) {
        const asset = isShown(context) ? await files.asset(file) : undefined
        if (asset !== undefined) return asset
        return errorAnswer(failure('bad_request', `There is no file ${shown(file)}.`), context.config.errorsUrl, 404)
      },
    }),
  ]
}
