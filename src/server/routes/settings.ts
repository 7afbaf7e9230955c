import { shapeOf, viewOf } from '../../bodies/index.js'
import { fail, type Result } from '../../errors/index.js'
import { readSettings } from '../../folder/index.js'
import { print } from '../../json/index.js'
import {
  resetAll,
  resetOne,
  type SettingName,
  type SettingsPatch,
  settingRoutes,
  storedPatch,
} from '../../settings/index.js'
import { jsonText } from '../answers/answer.js'
import { enqueueTask } from '../enqueue.js'
import { SMALL_BYTES } from '../http/body.js'
import { type Call, digestedBody, type Outcome, route } from '../http/route.js'

const WHOLE = '/indexes/{index_uid}/settings'

type IndexCall = Call<{ readonly index_uid: string }>

async function read({ context, params }: IndexCall, setting: SettingName | null): Promise<Outcome> {
  const folder = context.indexes.open(params.index_uid)
  if (folder === undefined) return fail('index_not_found', params.index_uid)
  const features = context.features.current
  const stored = folder.settingsBytes()
  if (stored === undefined || stored.length <= SMALL_BYTES)
    return jsonText(200, print(viewOf(readSettings(folder), setting, features)))
  const shown = await context.bodies.digest({ kind: 'shownSettings', setting, features }, new Uint8Array(stored))
  return shown.ok ? jsonText(200, shown.value.json) : shown
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
    handle: (call) => read(call, null),
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
    handle: (call) => read(call, name),
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
