import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { fail, ok, type Result } from '../../errors/index.js'
import { parseUuid } from '../../shape/index.js'
import { StateEntries, type StateLog } from '../../store/index.js'
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

const NAME = 'keys'

export interface KeyStoreOptions {
  readonly log: StateLog
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
  private readonly stored: StateEntries<ApiKey>
  private readonly byUid = new Map<string, KnownKey>()
  private readonly byValueHash = new Map<string, KnownKey>()
  private readonly hashSecret = randomBytes(32).toString('hex')
  private readonly masterKeyHash: Buffer | undefined
  private nextSequence = 0

  private constructor(private readonly options: KeyStoreOptions) {
    this.stored = new StateEntries(options.log, NAME, { encode: encodeKey, decode: decodeKey })
    if (options.masterKey !== null) this.masterKeyHash = this.hash(options.masterKey)
    for (const key of this.stored.values()) this.remember(key)
    options.log.follow(NAME, (uids) => {
      for (const uid of uids) this.follow(Buffer.from(uid).toString())
    })
  }

  /** Opens the store; an empty one gets the default keys, unless they are not wanted. */
  static async open(options: KeyStoreOptions): Promise<KeyStore> {
    const store = new KeyStore(options)
    if (options.makesDefaults ?? true) await store.makeDefaults()
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
    const now = this.options.clock()
    return this.change(uid, (before) => {
      if (before !== undefined) return fail('api_key_already_exists', uid)
      return ok({ ...fields, uid, createdAt: now, updatedAt: now, sequence: this.nextSequence++ })
    })
  }

  async update(uid: string, changes: KeyChanges): Promise<Result<KnownKey>> {
    const updatedAt = this.options.clock()
    return this.change(uid, (before) => {
      if (before === undefined) return fail('api_key_not_found', uid)
      const { name = before.name, description = before.description } = changes
      return ok({ ...before, name, description, updatedAt })
    })
  }

  async delete(uid: string): Promise<void> {
    await this.stored.change((keys) => keys.delete(uid))
  }

  /** An empty store gets the default keys. */
  async makeDefaults(): Promise<void> {
    if (this.byUid.size > 0) return
    const now = this.options.clock()
    const fields = { indexes: ['*'], expiresAt: null, createdAt: now, updatedAt: now }
    const keys = DEFAULT_KEYS.map((key, sequence) => ({ ...key, ...fields, uid: randomUUID(), sequence }))
    await this.stored.change(({ put }) => {
      // Others may have made some meanwhile.
      if (this.byUid.size === 0) for (const key of keys) put(key.uid, key)
    })
  }

  /** Takes the keys of a dump in place of all others. Their order of creation is that of the list. */
  async replaceAll(keys: readonly Omit<ApiKey, 'sequence'>[]): Promise<void> {
    const numbered = keys.map((key, sequence) => ({ ...key, sequence }))
    await this.stored.change(({ clear, put }) => {
      clear()
      for (const key of numbered) put(key.uid, key)
    })
  }

  /** Puts what `decide` makes of a key, if it does not refuse. */
  private async change(uid: string, decide: (before: ApiKey | undefined) => Result<ApiKey>): Promise<Result<KnownKey>> {
    const changed = await this.stored.change(({ get, put }) => {
      const key = decide(get(uid))
      if (key.ok) put(uid, key.value)
      return key
    })
    return changed.ok ? ok(this.byUid.get(uid)!) : changed
  }

  private follow(uid: string): void {
    const key = this.stored.get(uid)
    this.forget(uid)
    if (key !== undefined) this.remember(key)
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
