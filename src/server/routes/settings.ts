import { fail, ok, type Result } from '../../errors/index.js'
import {
  checkFeatures,
  checkPatch,
  readSettings,
  resetAll,
  resetOne,
  type Settings,
  type SettingsPatch,
  settingBody,
  settingRoutes,
  settingsBody,
  settingsView,
  settingView,
  storedPatch,
} from '../../index/index.js'
import { type JsonValue, print } from '../../json/index.js'
import type { ServerContext } from '../context.js'
import { enqueueTask } from '../enqueue.js'
import { jsonText } from '../http/answer.js'
import { type Call, jsonBody, type Outcome, route } from '../http/route.js'

const WHOLE = '/indexes/{index_uid}/settings'

type IndexCall = Call<{ readonly index_uid: string }>

function read({ context, params }: IndexCall, show: (settings: Settings) => JsonValue): Outcome {
  const settings = settingsOf(context, params.index_uid)
  return settings.ok ? jsonText(200, print(show(settings.value))) : settings
}

function settingsOf(context: ServerContext, uid: string): Result<Settings> {
  const folder = context.indexes.open(uid)
  return folder === undefined ? fail('index_not_found', uid) : ok(readSettings(folder))
}

/** Spec 4 §1.4, steps 7 to 9: the shape of the body and the uid were checked before. */
async function update(call: IndexCall, patch: SettingsPatch): Promise<Outcome> {
  const features = checkFeatures(patch, call.context.features.current)
  if (!features.ok) return features
  const checked = checkPatch(patch)
  if (!checked.ok) return checked
  return enqueue(call, patch, {
    isDeletion: false,
    allowIndexCreation: call.auth.canCreateIndex(call.params.index_uid),
  })
}

/** A reset never creates an index (spec 4 §1.6). */
function reset(call: IndexCall, patch: SettingsPatch): Promise<Outcome> {
  return enqueue(call, patch, { isDeletion: true, allowIndexCreation: false })
}

interface UpdateKind {
  readonly isDeletion: boolean
  readonly allowIndexCreation: boolean
}

function enqueue(call: IndexCall, patch: SettingsPatch, kind: UpdateKind): Promise<Outcome> {
  const settings = print(storedPatch(patch))
  return enqueueTask(call, { type: 'settingsUpdate', indexUid: call.params.index_uid, settings, ...kind })
}

const wholeRoutes = [
  route({
    method: 'GET',
    path: WHOLE,
    action: 'settings.get',
    handle: (call) => read(call, (settings) => settingsView(settings, call.context.features.current)),
  }),
  route({
    method: 'PATCH',
    path: WHOLE,
    action: 'settings.update',
    body: jsonBody(settingsBody),
    handle: (call) => update(call, call.body),
  }),
  route({
    method: 'DELETE',
    path: WHOLE,
    action: 'settings.update',
    handle: (call) => reset(call, resetAll),
  }),
]

const singleRoutes = settingRoutes.flatMap(({ name, path, verb }) => [
  route({
    method: 'GET',
    path: `${WHOLE}/${path}`,
    action: 'settings.get',
    handle: (call) => read(call, (settings) => settingView(settings, name)),
  }),
  route({
    method: verb,
    path: `${WHOLE}/${path}`,
    action: 'settings.update',
    body: jsonBody(settingBody(name)),
    handle: (call) => update(call, call.body),
  }),
  route({
    method: 'DELETE',
    path: `${WHOLE}/${path}`,
    action: 'settings.update',
    handle: (call) => reset(call, resetOne(name)),
  }),
])

export const routes = [...wholeRoutes, ...singleRoutes]
