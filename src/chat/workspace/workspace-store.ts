import { fail, ok, type Result } from '../../errors/index.js'
import { fromPlain, type JsonObject, parse, print } from '../../json/index.js'
import { checkBody } from '../../shape/index.js'
import { StateEntries, type StateLog } from '../../store/index.js'
import { DEFAULT_PROMPTS } from './default-prompts.js'
import { NEW_WORKSPACE, type Prompts, type WorkspaceSettings } from './settings.js'
import { patchSettings, type SettingsPatch, storedSettings } from './settings-patch.js'
import { dumpedSettings } from './settings-view.js'

const VERSION = 1

/** The chat workspaces: in memory for asking, on disk for the next start. */
export class WorkspaceStore {
  private readonly stored: StateEntries<WorkspaceSettings>

  constructor(log: StateLog) {
    this.stored = new StateEntries(log, 'chats', { encode, decode })
  }

  /** In byte order. */
  uids(): string[] {
    return this.stored.list().map(([uid]) => uid)
  }

  get(uid: string): Result<WorkspaceSettings> {
    return found(uid, this.stored.get(uid))
  }

  /** Creates the workspace, or changes the settings that are given. */
  patch(uid: string, patch: SettingsPatch): Promise<Result<WorkspaceSettings>> {
    return this.stored.change(({ get, put }) => {
      const patched = patchSettings(get(uid) ?? NEW_WORKSPACE, patch)
      if (patched.ok) put(uid, patched.value)
      return patched
    })
  }

  /** Puts all settings back to their defaults; the workspace stays. */
  reset(uid: string): Promise<Result<WorkspaceSettings>> {
    return this.stored.change(({ get, put }) => {
      const known = found(uid, get(uid))
      if (!known.ok) return known
      put(uid, NEW_WORKSPACE)
      return ok(NEW_WORKSPACE)
    })
  }

  delete(uid: string): Promise<Result<WorkspaceSettings>> {
    return this.stored.change((workspaces) => {
      const known = found(uid, workspaces.get(uid))
      if (known.ok) workspaces.delete(uid)
      return known
    })
  }

  /** The members of a dump, by uid: secrets are in clear. */
  dumped(): Map<string, JsonObject> {
    return new Map(this.stored.list().map(([uid, settings]) => [uid, dumpedSettings(settings)]))
  }

  /** Takes the workspaces of a dump in place of these. */
  async restore(dumped: ReadonlyMap<string, JsonObject>): Promise<void> {
    const restored = Array.from(dumped, ([uid, settings]) => [uid, readDumped(settings)] as const)
    await this.stored.change(({ clear, put }) => {
      clear()
      for (const [uid, settings] of restored) put(uid, settings)
    })
  }
}

const found = (uid: string, settings: WorkspaceSettings | undefined): Result<WorkspaceSettings> =>
  settings === undefined ? fail('chat_not_found', uid) : ok(settings)

/**
 * Other servers never asked whether the fields fit the source, and other versions had other fields, so a dump may hold
 * what a PATCH would refuse: what is known is taken as it is. Prompts that say what ours say count as never written.
 */
function readDumped(dumped: JsonObject): WorkspaceSettings {
  const checked = checkBody(storedSettings, dumped)
  if (!checked.ok) throw new Error(`the settings of a chat workspace cannot be read: ${checked.failure.message}`)
  const { prompts, ...others } = checked.value
  const given = Object.entries(prompts ?? {}).filter(
    ([name, text]) => typeof text === 'string' && text !== DEFAULT_PROMPTS[name as keyof Prompts],
  )
  const known = Object.entries(others).filter(([, value]) => value !== undefined)
  return {
    ...NEW_WORKSPACE,
    ...(Object.fromEntries(known) as Partial<WorkspaceSettings>),
    prompts: Object.fromEntries(given),
  }
}

/** Layout: version byte, then the JSON text of the settings, of the prompts those that were written. */
function encode(settings: WorkspaceSettings): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(print(fromPlain(settings)))])
}

function decode(bytes: Buffer): WorkspaceSettings {
  if (bytes[0] !== VERSION) throw new Error(`A chat workspace is stored in an unknown version: ${bytes[0]}`)
  const parsed = parse(bytes.toString('utf8', 1))
  if (!parsed.ok) throw new Error(`A stored chat workspace cannot be read: ${parsed.reason}`)
  return readDumped(parsed.value as JsonObject)
}
