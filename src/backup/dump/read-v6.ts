import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareBytes } from '../../byte-order/index.js'
import { isObject, type JsonObject } from '../../json/index.js'
import { parseUuid } from '../../shape/index.js'
import type { Batch } from '../../tasks/index.js'
import { BadArchive } from '../archive/bad-archive.js'
import { readBatch } from './batch-line.js'
import { currentSettings } from './current-settings.js'
import type { DumpedIndex, DumpReader, TaskArrival } from './dump-reader.js'
import { Facts } from './facts.js'
import { type MemberFile, memberExists, readFacts, readJson, readLines, readMember } from './lines.js'
import { type DumpedTask, readTask } from './read-task.js'
import type { ServerState } from './server-state.js'

/** The form that is written today, and since 0.30 (spec 2 §6.2). */
export class V6Reader implements DumpReader {
  constructor(
    private readonly folder: string,
    private readonly version: string,
  ) {}

  async state(): Promise<ServerState> {
    return {
      instanceUid: await this.instanceUid(),
      keys: await this.keys(),
      features: await this.objectOrNull('experimental-features.json'),
      network: await this.objectOrNull('network.json'),
      webhooks: await this.objectOrNull('webhooks.json'),
      chats: await this.chats(),
      rules: await this.rules(),
    }
  }

  async *indexes(): AsyncGenerator<DumpedIndex, void, void> {
    for (const name of await namesIn(join(this.folder, 'indexes'), 'folders')) {
      const member = (file: string): MemberFile => this.member(`indexes/${name}/${file}`)
      const facts = await readFacts(member('metadata.json'))
      const settings = await readFacts(member('settings.json'))
      const documents = member('documents.jsonl')
      if (!(await memberExists(documents))) throw new BadArchive(`${documents.place} is missing`)
      yield {
        uid: facts.text('uid'),
        primaryKey: facts.textOrNull('primaryKey'),
        createdAt: facts.time('createdAt'),
        updatedAt: facts.time('updatedAt'),
        settings: currentSettings(settings.object),
        documents,
      }
    }
  }

  async *batches(): AsyncGenerator<Batch, void, void> {
    const file = this.member('batches/queue.jsonl')
    if (!(await memberExists(file))) return
    for await (const [line, place] of readLines(file)) yield readBatch(line, place)
  }

  async *tasks(): AsyncGenerator<TaskArrival, void, void> {
    for await (const [line, place] of readLines(this.member('tasks/queue.jsonl'))) {
      const task = readTask(line, place, this.version)
      yield { task, payload: await this.payloadOf(task) }
    }
  }

  /** The documents of an addition that waits; without a file it must have none. */
  private async payloadOf({ uid, status, content }: DumpedTask): Promise<TaskArrival['payload']> {
    if (content.type !== 'documentAdditionOrUpdate' || status !== 'enqueued') return null
    const file = this.member(`tasks/update_files/${uid}.jsonl`)
    if (await memberExists(file)) return { file, format: { name: 'ndjson' } }
    if (content.documentsCount > 0)
      throw new BadArchive(`${file.place} is missing: task ${uid} waits for its documents`)
    return null
  }

  private member(name: string): MemberFile {
    return { path: join(this.folder, ...name.split('/')), place: name }
  }

  private async instanceUid(): Promise<string | null> {
    const file = this.member('instance_uid.uuid')
    return (await memberExists(file)) ? (parseUuid((await readMember(file)).toString().trim()) ?? null) : null
  }

  private async keys(): Promise<JsonObject[]> {
    const keys: JsonObject[] = []
    for await (const [line, place] of readLines(this.member('keys.jsonl'))) keys.push(new Facts(line, place).object)
    return keys
  }

  private async objectOrNull(name: string): Promise<JsonObject | null> {
    const file = this.member(name)
    const value = (await memberExists(file)) ? await readJson(file) : null
    if (value !== null && !isObject(value)) throw new BadArchive(`${name}: an object was expected`)
    return value
  }

  private async chats(): Promise<Map<string, JsonObject>> {
    const chats = new Map<string, JsonObject>()
    for (const name of await namesIn(join(this.folder, 'chat-completions-settings'), 'json')) {
      const file = this.member(`chat-completions-settings/${name}`)
      chats.set(name.slice(0, -'.json'.length), (await readFacts(file)).object)
    }
    return chats
  }

  private async rules(): Promise<JsonObject[]> {
    const names = await namesIn(join(this.folder, 'dynamic-search-rules'), 'json')
    const rules: JsonObject[] = []
    for (const name of names) {
      const facts = await readFacts(this.member(`dynamic-search-rules/${name}`))
      facts.text('uid')
      rules.push(facts.object)
    }
    return rules
  }
}

/** Folders, or files that end in `.json`, in byte order. None when the folder is not there. */
async function namesIn(path: string, kind: 'folders' | 'json'): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => (kind === 'folders' ? entry.isDirectory() : entry.isFile() && entry.name.endsWith('.json')))
    .map(({ name }) => name)
    .sort(compareBytes)
}
