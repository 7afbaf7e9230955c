import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { fail, ok, type Result } from '../../errors/index.js'
import { parseUuid } from '../../shape/index.js'
import type { Database, Environment } from '../../store/index.js'
import type { Clock } from '../../time/index.js'
import { type Action, expandActions } from './actions.js'
import { type ApiKey, decodeKey, deriveKeyValue, encodeKey } from './api-key.js'
import { DEFAULT_KEYS } from './default-keys.js'
import type { Expiry } from './expiry.js'

/** A key with what follows from it, computed once. */
export interface KnownKey {
  readonly key: ApiKey
  /** What clients send; empty while there is no master key. */
  readonly value: string
  readonly permissions: ReadonlySet<Action>
  readonly coversAllIndexes: boolean
}

export interface NewKey {
  readonly uid?: string
  readonly name: string | null
  readonly description: string | null
  readonly actions: readonly Action[]
  readonly indexes: readonly string[]
  readonly expiresAt: Expiry | null
}

/** Undefined members stay as they are. */
export interface KeyChanges {
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
}

export interface KeyStoreOptions {
  readonly environment: Environment
  readonly masterKey: string | null
  readonly clock: Clock
  /** Default true: an empty store gets the default keys. */
  readonly makesDefaults?: boolean
}

/**
 * All API keys, on disk and in memory. Looking up the key of a token costs one hash: values are found under their
 * hash with a secret of this process, so that neither the time nor the order of comparisons tells anything.
 */
export class KeyStore {
  private readonly database: Database
  private readonly byUid = new Map<string, KnownKey>()
  private readonly byValueHash = new Map<string, KnownKey>()
  private readonly hashSecret = randomBytes(32).toString('hex')
  private readonly masterKeyHash: Buffer | undefined
  private nextSequence = 0

  private constructor(private readonly options: KeyStoreOptions) {
    this.database = options.environment.database('keys')
    if (options.masterKey !== null) this.masterKeyHash = this.hash(options.masterKey)
    for (const { value } of this.database.range()) this.remember(decodeKey(value))
  }

  /** Opens the store; an empty one gets the default keys, unless they are not wanted. */
  static async open(options: KeyStoreOptions): Promise<KeyStore> {
    const store = new KeyStore(options)
    if (store.byUid.size === 0 && (options.makesDefaults ?? true)) await store.createDefaults()
    return store
  }

  get hasMasterKey(): boolean {
    return this.masterKeyHash !== undefined
  }

  isMasterKey(token: string): boolean {
    return this.masterKeyHash !== undefined && timingSafeEqual(this.masterKeyHash, this.hash(token))
  }

  /** The key whose value the token is, in either case of its hexadecimal digits. */
  findByValue(token: string): KnownKey | undefined {
    if (!/^[0-9a-fA-F]{64}$/.test(token)) return undefined
    return this.byValueHash.get(this.hash(token.toLowerCase()).toString('latin1'))
  }

  findByUid(uid: string): KnownKey | undefined {
    return this.byUid.get(uid)
  }

  /** By uid in any of its forms, else by value (spec 1 §4.8). */
  find(identifier: string): Result<KnownKey> {
    const uid = parseUuid(identifier)
    const found = uid === undefined ? this.findByValue(identifier) : this.findByUid(uid)
    return found ? ok(found) : fail('api_key_not_found', identifier)
  }

  /** Newest first. */
  list(): KnownKey[] {
    return [...this.byUid.values()].sort((a, b) => newestFirst(a.key, b.key))
  }

  async create(fields: NewKey): Promise<Result<KnownKey>> {
    const uid = fields.uid ?? randomUUID()
    if (this.byUid.has(uid)) return fail('api_key_already_exists', uid)
    const now = this.options.clock()
    return ok(await this.save({ ...fields, uid, createdAt: now, updatedAt: now, sequence: this.nextSequence }))
  }

  async update(uid: string, changes: KeyChanges): Promise<Result<KnownKey>> {
    const known = this.byUid.get(uid)
    if (!known) return fail('api_key_not_found', uid)
    const { key } = known
    const name = changes.name === undefined ? key.name : changes.name
    const description = changes.description === undefined ? key.description : changes.description
    return ok(await this.save({ ...key, name, description, updatedAt: this.options.clock() }))
  }

  async delete(uid: string): Promise<void> {
    await this.options.environment.write(() => this.database.delete(Buffer.from(uid)))
    this.forget(uid)
  }

  private createDefaults(): Promise<void> {
    const now = this.options.clock()
    const fields = { indexes: ['*'], expiresAt: null, createdAt: now, updatedAt: now }
    return this.replaceAll(DEFAULT_KEYS.map((key) => ({ ...key, ...fields, uid: randomUUID() })))
  }

  /** Takes the keys of a dump in place of all others. Their order of creation is that of the list. */
  async replaceAll(keys: readonly Omit<ApiKey, 'sequence'>[]): Promise<void> {
    const numbered = keys.map((key, sequence) => ({ ...key, sequence }))
    await this.options.environment.write(() => {
      this.database.clear()
      for (const key of numbered) this.database.put(Buffer.from(key.uid), encodeKey(key))
    })
    this.byUid.clear()
    this.byValueHash.clear()
    for (const key of numbered) this.remember(key)
  }

  /** Memory first: a second request with the same uid must already see the key while this one is being written. */
  private async save(key: ApiKey): Promise<KnownKey> {
    const before = this.byUid.get(key.uid)
    const known = this.remember(key)
    try {
      await this.options.environment.write(() => this.database.put(Buffer.from(key.uid), encodeKey(key)))
    } catch (error) {
      this.forget(key.uid)
      if (before) this.remember(before.key)
      throw error
    }
    return known
  }

  private remember(key: ApiKey): KnownKey {
    const { masterKey } = this.options
    const value = masterKey === null ? '' : deriveKeyValue(masterKey, key.uid)
    const known: KnownKey = {
      key,
      value,
      permissions: expandActions(key.actions),
      coversAllIndexes: key.indexes.includes('*'),
    }
    this.byUid.set(key.uid, known)
    if (masterKey !== null) this.byValueHash.set(this.hash(value).toString('latin1'), known)
    this.nextSequence = Math.max(this.nextSequence, key.sequence + 1)
    return known
  }

  private forget(uid: string): void {
    const known = this.byUid.get(uid)
    if (!known) return
    this.byUid.delete(uid)
    this.byValueHash.delete(this.hash(known.value).toString('latin1'))
  }

  /** Stays inside: a secret in front does, and takes a third of the time of an HMAC, which every request would spend. */
  private hash(text: string): Buffer {
    return hash('sha256', this.hashSecret + text, 'buffer')
  }
}

function newestFirst(a: ApiKey, b: ApiKey): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return b.sequence - a.sequence
}
