import { fail } from '../../errors/index.js'
import { print } from '../../json/index.js'
import { controlBody, networkPatch } from '../../state/index.js'
import { taskSummary } from '../../tasks/index.js'
import { empty, json, jsonText } from '../answers/answer.js'
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
    async handle({ body, context }) {
      const changed = await changeNetwork(context, body)
      if (!changed.ok) return changed
      if (changed.value === undefined) return jsonText(200, print(context.network.view()))
      return json(202, taskSummary(changed.value))
    },
  }),

  route({
    method: 'POST',
    path: '/network/control',
    action: 'network.update',
    body: jsonBody(controlBody),
    feature: feature('Controlling the network'),
    handle({ body: { message }, context }) {
      if (message.type !== 'statusChangeForRemote') {
        return fail('import_task_without_network_task', `\`${message.type}\`: no change of the network is under way.`)
      }
      context.network.availability.set(message.remote, message.status)
      return empty(200)
    },
  }),
]
