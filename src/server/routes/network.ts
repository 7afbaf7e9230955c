import { print } from '../../json/index.js'
import { controlBody, FORMER_VERSION_HEADER, NIL_VERSION, networkPatch, readProxyHeaders } from '../../state/index.js'
import { taskSummary } from '../../tasks/index.js'
import { empty, json, jsonText } from '../answers/answer.js'
import { sentOn } from '../enqueue.js'
import { jsonBody, route } from '../http/route.js'
import { changeNetwork } from '../network/change-network.js'

const feature = (doing: string) => ({ name: 'network', doing }) as const

export const routes = [
  route({
    method: 'GET',
    path: '/network',
    action: 'network.get',
    feature: feature('Reading the network'),
    handle: ({ context }) => jsonText(200, print(context.network.view())),
  }),

  route({
    method: 'PATCH',
    path: '/network',
    action: 'network.update',
    body: jsonBody(networkPatch),
    feature: feature('Changing the network'),
    async handle({ body, context, headers }) {
      const proxy = readProxyHeaders(headers)
      if (!proxy.ok) return proxy
      const formerVersion = String(headers[FORMER_VERSION_HEADER] ?? NIL_VERSION)
      const sent = proxy.value && { proxy: proxy.value, formerVersion }
      const changed = await changeNetwork(context, body, sent)
      if (!changed.ok) return changed
      if (changed.value === undefined) return jsonText(200, print(context.network.view()))
      await sentOn(context, changed.value)
      return json(202, taskSummary(changed.value))
    },
  }),

  route({
    method: 'POST',
    path: '/network/control',
    action: 'network.update',
    body: jsonBody(controlBody),
    feature: feature('Controlling the network'),
    async handle({ body: { origin, message }, context }) {
      if (message.type !== 'statusChangeForRemote') {
        const heard = await context.topology.hear(
          { ...origin, networkVersion: origin.networkVersion ?? NIL_VERSION },
          message,
        )
        return heard.ok ? empty(200) : heard
      }
      context.network.availability.set(message.remote, message.status)
      return empty(200)
    },
  }),
]
