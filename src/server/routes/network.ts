import { fail } from '../../errors/index.js'
import { print } from '../../json/index.js'
import { controlBody, networkPatch } from '../../state/index.js'
import { empty, jsonText } from '../answers/answer.js'
import { jsonBody, route } from '../http/route.js'

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
      const changed = await context.network.change(body)
      return changed.ok ? jsonText(200, print(changed.value)) : changed
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
