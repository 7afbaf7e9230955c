import { compareBytes } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { fromPlain, type JsonObject, parse, print } from '../../json/index.js'
import { checkBody } from '../../shape/index.js'
import { type Database, type Environment, WrittenValue } from '../../store/index.js'
import { DEFAULT_PROMPTS } from './default-prompts.js'
import { NEW_WORKSPACE, type Prompts, type WorkspaceSettings } from './settings.js'
import { patchSettings, type SettingsPatch, storedSettings } from './settings-patch.js'
import { dumpedSettings } from './settings-view.js'

const VERSION = 1

/** The chat workspaces: in memory for asking, on disk for the next start. */
export class WorkspaceStore {
  private readonly database: Database
  private readonly workspaces: WrittenValue<ReadonlyMap<string, WorkspaceSettings>>

  constructor(environment: Environment) {
    this.database = environment.database('chats')
    const stored = Array.from(this.database.range(), ({ key, value }) => [key.toString(), decode(value)] as const)
    this.workspaces = new WrittenValue(environment, new Map(stored))
  }

  /** In byte order. */
  uids(): string[] {
    return [...this.workspaces.current.keys()].sort(compareBytes)
  }

  get(uid: string): Result<WorkspaceSettings> {
    const settings = this.workspaces.current.get(uid)
    return settings === undefined ? fail('chat_not_found', uid) : ok(settings)
  }

  /** Creates the workspace, or changes the settings that are given. */
  async patch(uid: string, patch: SettingsPatch): Promise<Result<WorkspaceSettings>> {
    const patched = patchSettings(this.workspaces.current.get(uid) ?? NEW_WORKSPACE, patch)
    if (patched.ok) await this.put(uid, patched.value)
    return patched
  }

  /** Puts all settings back to their defaults; the workspace stays. */
  async reset(uid: string): Promise<Result<WorkspaceSettings>> {
    const known = this.get(uid)
    if (!known.ok) return known
    await this.put(uid, NEW_WORKSPACE)
    return ok(NEW_WORKSPACE)
  }

  async delete(uid: string): Promise<Result<WorkspaceSettings>> {
    const known = this.get(uid)
    if (!known.ok) return known
    const others = new Map(this.workspaces.current)
    others.delete(uid)
    await this.workspaces.replace(others, () => this.database.delete(Buffer.from(uid)))
    return known
  }

  /** The members of a dump, by uid: secrets are in clear. */
  dumped(): Map<string, JsonObject> {
    return new Map(this.uids().map((uid) => [uid, dumpedSettings(this.workspaces.current.get(uid)!)]))
  }

  /** Takes the workspaces of a dump in place of these. */
  async restore(dumped: ReadonlyMap<string, JsonObject>): Promise<void> {
    const workspaces = new Map(Array.from(dumped, ([uid, settings]) => [uid, readDumped(settings)]))
    await this.workspaces.replace(workspaces, () => {
      for (const { key } of [...this.database.range()]) this.database.delete(key)
      for (const [uid, settings] of workspaces) this.database.put(Buffer.from(uid), encode(settings))
    })
  }

  private put(uid: string, settings: WorkspaceSettings): Promise<void> {
    const workspaces = new Map(this.workspaces.current).set(uid, settings)
    return this.workspaces.replace(workspaces, () => this.database.put(Buffer.from(uid), encode(settings)))
  }
}

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
