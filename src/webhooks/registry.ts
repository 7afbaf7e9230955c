import { randomUUID } from 'node:crypto'
import { sortedByName } from '../byte-order/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import type { Database, EntryChanges, StateLog } from '../store/index.js'
import { decodeWebhook, encodeWebhook, uuidKey } from './codec.js'
import { COMMAND_LINE_UUID, changeWebhook, createWebhook, type Webhook, type WebhookPatch } from './webhook.js'

const NAME = 'webhooks'

export interface WebhookRegistryOptions {
  readonly log: StateLog
  /** Lives in memory only: never stored, never dumped (spec 2 §5.2). */
  readonly commandLine?: Webhook | null
  readonly newUuid?: () => string
}

/**
 * The webhooks of this server. Reads are of the last commit; a change is on disk when its promise resolves. Uuids come
 * in lowercase hyphenated form.
 */
export class WebhookRegistry {
  private readonly log: StateLog
  private readonly database: Database
  private readonly commandLine: Webhook | null
  private readonly newUuid: () => string

  constructor({ log, commandLine = null, newUuid = randomUUID }: WebhookRegistryOptions) {
    this.log = log
    this.database = log.database(NAME)
    this.commandLine = commandLine
    this.newUuid = newUuid
  }

  /** By uuid, so the one of the command line comes first. */
  list(): Webhook[] {
    return this.commandLine === null ? this.stored() : [this.commandLine, ...this.stored()]
  }

  /** Those a dump holds: all but the one of the command line. */
  stored(): Webhook[] {
    return [...this.database.range()].map(({ key, value }) => decodeWebhook(key, value))
  }

  get(uuid: string): Result<Webhook> {
    const found = uuid === COMMAND_LINE_UUID ? this.commandLine : this.read(uuid)
    return found ? ok(found) : fail('webhook_not_found', uuid)
  }

  create(patch: WebhookPatch): Promise<Result<Webhook>> {
    return this.log.change(NAME, (changes) => {
      const created = createWebhook(this.newUuid(), patch, this.database.count())
      if (created.ok) put(changes, created.value)
      return created
    })
  }

  update(uuid: string, patch: WebhookPatch): Promise<Result<Webhook>> {
    return this.log.change(NAME, (changes) => {
      const before = this.editable(uuid)
      if (!before.ok) return before
      const changed = changeWebhook(before.value, patch)
      if (changed.ok) put(changes, changed.value)
      return changed
    })
  }

  delete(uuid: string): Promise<Result<void>> {
    return this.log.change(NAME, (changes) => {
      const found = this.editable(uuid)
      if (!found.ok) return found
      changes.delete(uuidKey(uuid))
      return ok(undefined)
    })
  }

  /** Takes the webhooks of a dump in place of all stored ones. Their headers may come in any order. */
  async replaceAll(webhooks: readonly Webhook[]): Promise<void> {
    await this.log.change(NAME, (changes) => {
      changes.clear()
      for (const webhook of webhooks) put(changes, { ...webhook, headers: sortedByName(webhook.headers) })
    })
  }

  private editable(uuid: string): Result<Webhook> {
    return uuid === COMMAND_LINE_UUID ? fail('immutable_webhook', uuid) : this.get(uuid)
  }

  private read(uuid: string): Webhook | undefined {
    const key = uuidKey(uuid)
    const value = this.database.get(key)
    return value && decodeWebhook(key, value)
  }
}

function put(changes: EntryChanges, webhook: Webhook): void {
  changes.put(uuidKey(webhook.uuid), encodeWebhook(webhook))
}
