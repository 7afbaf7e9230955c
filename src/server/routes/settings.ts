import { fail, ok, type Result } from '../../errors/index.js'
import {
  readSettings,
  resetAll,
  resetOne,
  type SettingName,
  type Settings,
  type SettingsPatch,
  settingRoutes,
  settingsView,
  settingView,
  storedPatch,
} from '../../index/index.js'
import { type JsonValue, print } from '../../json/index.js'
import { shapeOf } from '../bodies/digest.js'
import type { ServerContext } from '../context.js'
import { enqueueTask } from '../enqueue.js'
import { jsonText } from '../http/answer.js'
import { type Call, digestedBody, type Outcome, route } from '../http/route.js'

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

/** A hundred thousand synonyms have 5 MB. Tasks hold settings as they came, and lists of tasks show them. */
const MAX_SETTINGS_BYTES = 16 * 1024 * 1024

const settingsOrOne = (setting: SettingName | null) =>
  digestedBody<'settings'>({
    shape: shapeOf(setting),
    limitBytes: MAX_SETTINGS_BYTES,
    request: ({ features }) => ({ kind: 'settings', setting, features: features.current }),
  })

/** The uid was checked before, so that its refusal comes first (spec 4 §1.4). */
async function update(call: IndexCall, settings: Result<string>): Promise<Outcome> {
  if (!settings.ok) return settings
  return enqueue(call, settings.value, {
    isDeletion: false,
    allowIndexCreation: call.auth.canCreateIndex(call.params.index_uid),
  })
}

/** A reset never creates an index (spec 4 §1.6). */
function reset(call: IndexCall, patch: SettingsPatch): Promise<Outcome> {
  return enqueue(call, print(storedPatch(patch)), { isDeletion: true, allowIndexCreation: false })
}

interface UpdateKind {
  readonly isDeletion: boolean
  readonly allowIndexCreation: boolean
}

function enqueue(call: IndexCall, settings: string, kind: UpdateKind): Promise<Outcome> {
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
    body: settingsOrOne(null),
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
    body: settingsOrOne(name),
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
