import { randomUUID } from 'node:crypto'
import { type JsonObject, type JsonValue, print } from '../../../json/index.js'
import { parseUuid } from '../../../shape/index.js'
import type { Batch } from '../../../tasks/index.js'
import { BadArchive } from '../../archive/bad-archive.js'
import type { DumpedIndex, DumpReader, TaskArrival } from '../dump-reader.js'
import { Facts } from '../facts.js'
import { memberExists, readLines, readMember } from '../lines.js'
import type { DumpedTask } from '../read-task.js'
import type { ServerState } from '../server-state.js'
import { type EventTask, readEventTask } from './event-task.js'
import { memberOf, type OldDump, readOldIndex, stateWith } from './old-members.js'
import { settingsOfTask } from './settings-task.js'

/** V5 (0.28 and 0.29) and V4 (0.25 to 0.27), which differ in keys and in the spelling of tasks (spec 2 §6.4). */
export class V5Reader implements DumpReader {
  private knownKeys: readonly JsonObject[] | undefined

  constructor(private readonly dump: OldDump) {}

  async state(): Promise<ServerState> {
    return stateWith(await this.keys(), await this.instanceUid())
  }

  /** Read once: the uids that keys of V4 get must stay the same. */
  private async keys(): Promise<readonly JsonObject[]> {
    if (this.knownKeys !== undefined) return this.knownKeys
    const file = memberOf(this.dump, 'keys')
    const keys: JsonObject[] = []
    if (await memberExists(file)) {
      for await (const [line, place] of readLines(file)) keys.push(presentKey(new Facts(line, place).object))
    }
    this.knownKeys = keys
    return keys
  }

  async *indexes(): AsyncGenerator<DumpedIndex, void, void> {
    const found: { uid: string; uuid: string; creationTask: number | null }[] = []
    for await (const [line, place] of readLines(memberOf(this.dump, 'index_uuids/data.jsonl'))) {
      const facts = new Facts(line, place)
      const meta = facts.facts('index_meta')
      const creationTask = meta.countOrNull('creation_task_id')
      found.push({ uid: facts.text('uid'), uuid: meta.text('uuid'), creationTask })
    }
    const { succeededAt, createdAt } = await this.dates()
    for (const { uid, uuid, creationTask } of found) {
      const created = (creationTask === null ? undefined : createdAt.get(creationTask)) ?? this.dump.now
      const updated = succeededAt.get(uid) ?? this.dump.now
      yield await readOldIndex(this.dump, { uid, name: `indexes/${uuid}`, createdAt: created, updatedAt: updated })
    }
  }

  /** There was nothing of the kind. */
  async *batches(): AsyncGenerator<Batch, void, void> {}

  async *tasks(): AsyncGenerator<TaskArrival, void, void> {
    for await (const { task, payloadName } of this.eventTasks()) {
      const file = payloadName === null ? null : memberOf(this.dump, `updates/updates_files/${payloadName}`)
      if (file !== null && !(await memberExists(file))) {
        throw new BadArchive(`${file.place} is missing: task ${task.uid} waits for its documents`)
      }
      yield {
        task: await this.present(task),
        payload: file === null ? null : { file, format: { name: 'ndjson' } },
      }
    }
  }

  /** A dump that waits takes along the keys of this one. */
  private async present(task: DumpedTask): Promise<DumpedTask> {
    const { content } = task
    if (content.type !== 'dumpCreation') return settingsOfTask(task, this.dump.warn)
    return { ...task, content: { ...content, keys: print([...(await this.keys())]) } }
  }

  private async *eventTasks(): AsyncGenerator<EventTask, void, void> {
    for await (const [line, place] of readLines(memberOf(this.dump, 'updates/data.jsonl'))) {
      yield readEventTask(line, place)
    }
  }

  /** The newest task comes first: the first success of an index is its last change. */
  private async dates() {
    const succeededAt = new Map<string, string>()
    const createdAt = new Map<number, string>()
    for await (const { task, createdAt: created, succeededAt: succeeded } of this.eventTasks()) {
      createdAt.set(task.uid, created)
      const uid = 'indexUid' in task.content ? task.content.indexUid : undefined
      if (uid !== undefined && succeeded !== null && !succeededAt.has(uid)) succeededAt.set(uid, succeeded)
    }
    return { succeededAt, createdAt }
  }

  private async instanceUid(): Promise<string | null> {
    const file = memberOf(this.dump, 'instance-uid')
    return (await memberExists(file)) ? (parseUuid((await readMember(file)).toString().trim()) ?? null) : null
  }
}

/** Keys of V4 have no uid that a value could be derived from: they get a new one. */
function presentKey(key: JsonObject): JsonObject {
  if (key.has('uid')) return key
  const { id: _, actions, ...rest } = Object.fromEntries(key) as Record<string, JsonValue>
  const kept = Array.isArray(actions) ? actions.filter((action) => action !== 'dumps.get') : []
  return new Map([['uid', randomUUID()], ['actions', kept], ...Object.entries(rest)])
}
