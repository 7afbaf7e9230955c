import { join } from 'node:path'
import type { JsonObject } from '../../../json/index.js'
import { BadArchive } from '../../archive/bad-archive.js'
import type { DumpedIndex } from '../dump-reader.js'
import { type MemberFile, memberExists, readFacts } from '../lines.js'
import type { ServerState } from '../server-state.js'
import { settingsFromOld } from './old-settings.js'

/** What readers of old dumps are handed. */
export interface OldDump {
  /** Where it is unpacked. */
  readonly folder: string
  /** RFC 3339: for dates that the dump does not tell. */
  readonly now: string
  readonly warn: (line: string) => void
}

export function memberOf({ folder }: OldDump, name: string): MemberFile {
  return { path: join(folder, ...name.split('/')), place: name }
}

/** Old dumps hold little besides indexes and tasks. */
export const stateWith = (keys: readonly JsonObject[], instanceUid: string | null): ServerState => ({
  instanceUid,
  keys,
  features: null,
  network: null,
  webhooks: null,
  chats: new Map(),
  rules: [],
})

export interface OldIndex {
  readonly uid: string
  /** The folder below the root of the dump. */
  readonly name: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** An index whose settings and primary key are in `meta.json`. */
export async function readOldIndex(dump: OldDump, index: OldIndex): Promise<DumpedIndex> {
  const { uid, name, createdAt, updatedAt } = index
  const meta = await readFacts(memberOf(dump, `${name}/meta.json`))
  const documents = memberOf(dump, `${name}/documents.jsonl`)
  if (!(await memberExists(documents))) throw new BadArchive(`${documents.place} is missing`)
  const settings = meta.factsOrNull('settings')?.object ?? new Map()
  return {
    uid,
    primaryKey: meta.textOrNull('primary_key') ?? meta.textOrNull('primaryKey'),
    createdAt,
    updatedAt,
    settings: settingsFromOld(settings, dump.warn),
    documents,
  }
}
