import { excerpt, type Failure, fail, failureSaying, ok, type Result } from '../errors/index.js'
import { isObject, type JsonValue } from '../json/index.js'
import { storedJson } from './stored-document.js'

/** Longest id in bytes (spec 3 §2.6). */
export const MAX_ID_BYTES = 511

const isIdByte = new Uint8Array(256)
for (const mark of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') isIdByte[mark.charCodeAt(0)] = 1

/** A document whose fields can be asked for by name; values are canonical JSON text. */
export interface NamedFields {
  readonly names: readonly string[]
  readonly values: readonly Uint8Array[]
}

/** The same where one value costs less than all. */
interface LazyFields extends NamedFields {
  valueAt(i: number): Uint8Array
}

/** Finds the value of the primary key in a document. Prepared once for a key, used for every document. */
export class IdExtractor {
  private readonly isPath: boolean

  constructor(readonly primaryKey: string) {
    this.isPath = primaryKey.includes('.')
  }

  /** The document id in its text form: `1` and `"1"` are the same id. */
  extract(document: NamedFields): Result<string> {
    if (this.isPath) return this.extractByPath(document)
    const at = document.names.indexOf(this.primaryKey)
    if (at === -1) return missing(this.primaryKey, document)
    const value = document.values[at]!
    return isLegalId(value) ? ok(idFromText(value)) : badId(this.primaryKey, text(value))
  }

  /** Why there is no id, undefined when there is one. A good id costs less than `extract` does. */
  problemOf(document: LazyFields): Failure | undefined {
    const at = this.isPath ? -1 : document.names.indexOf(this.primaryKey)
    if (at !== -1 && isLegalId(document.valueAt(at))) return undefined
    const id = this.extract(document)
    return id.ok ? undefined : id.failure
  }

  /** Every way of cutting the path at its dots is tried; arrays are not entered. */
  private extractByPath(document: NamedFields): Result<string> {
    const found: JsonValue[] = []
    for (const [i, name] of document.names.entries()) {
      const value = document.values[i]!
      if (name === this.primaryKey) found.push(parsed(value))
      else if (this.primaryKey.startsWith(`${name}.`))
        collect(parsed(value), this.primaryKey.slice(name.length + 1), found)
    }
    if (found.length === 0) return missing(this.primaryKey, document)
    if (found.length > 1) return tooMany(this.primaryKey, document)
    return idFromValue(found[0]!) ?? badId(this.primaryKey, shown(found[0]!))
  }
}

function collect(value: JsonValue, path: string, found: JsonValue[]): void {
  if (!isObject(value)) return
  for (const [name, member] of value) {
    if (name === path) found.push(member)
    else if (path.startsWith(`${name}.`)) collect(member, path.slice(name.length + 1), found)
  }
}

const QUOTE = 0x22

/** Canonical text of an integer, or of a string of legal characters. */
function isLegalId(value: Uint8Array): boolean {
  if (value[0] === QUOTE) return isLegalText(value, 1, value.length - 1)
  const digits = value[0] === 0x2d ? 1 : 0
  if (digits === value.length) return false
  for (let i = digits; i < value.length; i++) if (value[i]! < 0x30 || value[i]! > 0x39) return false
  return true
}

function isLegalText(value: Uint8Array, start: number, end: number): boolean {
  if (end - start < 1 || end - start > MAX_ID_BYTES) return false
  for (let i = start; i < end; i++) if (isIdByte[value[i]!] !== 1) return false
  return true
}

/** So many characters are put together faster than a call into native code takes. */
const SHORT_ID = 12

/** Of a legal one, which is ASCII. */
function idFromText(value: Uint8Array): string {
  const [start, end] = value[0] === QUOTE ? [1, value.length - 1] : [0, value.length]
  if (end - start > SHORT_ID) return text(value.subarray(start, end))
  let id = ''
  for (let i = start; i < end; i++) id += String.fromCharCode(value[i]!)
  return id
}

/** The id of a request (`ids` of the listings) or of a nested value. */
export function idFromValue(value: JsonValue): Result<string> | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return ok(String(value))
  if (typeof value !== 'string') return undefined
  const bytes = Buffer.from(value)
  return isLegalText(bytes, 0, bytes.length) ? ok(value) : undefined
}

const text = (value: Uint8Array): string =>
  Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8')

const parsed = (value: Uint8Array): JsonValue => storedJson(text(value))

const shown = (value: JsonValue): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** What a message shows of one value. */
const SHOWN_CHARACTERS = 60

/** What a message shows of a document. */
function summary(document: NamedFields): string {
  const members = document.names
    .slice(0, 8)
    .map((name, i) => `${JSON.stringify(name)}:${excerpt(text(document.values[i]!), SHOWN_CHARACTERS)}`)
  return excerpt(`{${members.join(',')}}`, 300)
}

function missing(primaryKey: string, document: NamedFields): Result<string> {
  return fail(
    'missing_document_id',
    `A document has no value for the primary key \`${primaryKey}\`: ${summary(document)}`,
  )
}

function tooMany(primaryKey: string, document: NamedFields): Result<string> {
  return fail(
    'invalid_document_id',
    `A document has several values for the primary key \`${primaryKey}\`: ${summary(document)}`,
  )
}

function badId(primaryKey: string, found: string): Result<string> {
  return { ok: false, failure: illegalId(primaryKey, found) }
}

function illegalId(primaryKey: string, found: string): Failure {
  const rule = `an integer or a string of 1 to ${MAX_ID_BYTES} characters out of a-z, A-Z, 0-9, - and _`
  return failureSaying(
    'invalid_document_id',
    `The document id \`${primaryKey}\` must be ${rule}, not ${excerpt(found, SHOWN_CHARACTERS)}.`,
  )
}
