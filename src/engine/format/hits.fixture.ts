import { expect } from 'vitest'
import { ByteWriter } from '../../bytes/index.js'
import { FieldRegistry, type StoredDocument } from '../../documents/index.js'
import { fromPlain, isObject, type JsonValue, parse, print } from '../../json/index.js'
import type { MatchTerms, PhraseEntry, WordEntry } from '../../rank/index.js'
import { compileFieldRoles, defaultSettings, type Settings } from '../../settings/index.js'
import { createAnalyzer } from '../../text/index.js'
import { type FormatRequest, HitFormatter } from './hit-formatter.js'

/** A query word that is complete. */
export const word = (text: string, id = 0): WordEntry => ({
  words: [text],
  isPrefix: false,
  length: [...text].length,
  ids: [id],
})

/** The last word of a query. `words` are what it may stand for. */
export const prefix = (typed: string, id = 0, words: readonly string[] = [typed]): WordEntry => ({
  words,
  isPrefix: true,
  length: [...typed].length,
  ids: [id],
})

export const phrase = (...words: readonly (string | null)[]): PhraseEntry => ({ words, ids: words.map((_, i) => i) })

export const terms = (words: readonly WordEntry[], phrases: readonly PhraseEntry[] = []): MatchTerms => ({
  words,
  phrases,
})

export type TestRequest = Partial<FormatRequest> & { readonly settings?: Partial<Settings> }

/** The hit of a document that is alone in its index, as JSON text. A text is taken for the JSON of the document. */
export function hit(document: object | string, request: TestRequest = {}): string {
  return hits([document], request)[0]!
}

export function hits(documents: readonly (object | string)[], request: TestRequest = {}): string[] {
  const values = documents.map(documentValue)
  const fields = new FieldRegistry()
  for (const value of values) registerNames(fields, value, '')
  const formatter = newFormatter(fields, request)
  return values.map((value) => {
    // As searches do it: what the formatter does not need is not read.
    const stored = storedDocument(fields, value).filter(({ fieldId }) => formatter.needs(fieldId))
    const members = [formatter.members(stored)]
    const written = new ByteWriter()
    formatter.writeMembers(written, stored)
    expect(written.view().toString()).toBe(members[0])
    const formatted = formatter.formatted(stored)
    const positions = formatter.matchesPosition(stored)
    if (formatted !== undefined) members.push(`"_formatted":${formatted}`)
    if (positions !== undefined) members.push(`"_matchesPosition":${positions}`)
    return `{${members.filter((text) => text !== '').join(',')}}`
  })
}

/** The value of `_formatted` for one text, as it is shown. */
export function formattedText(text: string, request: TestRequest): string | undefined {
  const { _formatted } = JSON.parse(hit({ t: text }, request)) as { _formatted?: { t: string } }
  return _formatted?.t
}

export function newFormatter(fields: FieldRegistry, { settings, ...request }: TestRequest): HitFormatter {
  const all: Settings = { ...defaultSettings, ...settings }
  const { separatorTokens, nonSeparatorTokens, dictionary } = all
  const formatAnalyzer = createAnalyzer({ separatorTokens, nonSeparatorTokens, dictionary })
  const index = { fields, settings: all, roles: compileFieldRoles(all), formatAnalyzer }
  return new HitFormatter(index, { ...plainRequest, ...request })
}

const plainRequest: FormatRequest = {
  attributesToRetrieve: null,
  attributesToHighlight: null,
  attributesToCrop: null,
  cropLength: 10,
  cropMarker: '…',
  highlightPreTag: '<em>',
  highlightPostTag: '</em>',
  showMatchesPosition: false,
  locales: null,
  terms: undefined,
}

function documentValue(document: object | string): JsonValue {
  if (typeof document !== 'string') return fromPlain(document)
  const parsed = parse(document)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

/** As indexing does it: objects add a dot and a name, arrays add nothing. */
export function registerNames(fields: FieldRegistry, value: JsonValue, path: string): void {
  if (Array.isArray(value)) for (const item of value) registerNames(fields, item, path)
  if (!isObject(value)) return
  for (const [key, member] of value) {
    const name = path === '' ? key : `${path}.${key}`
    fields.register(name)
    registerNames(fields, member, name)
  }
}

export function storedDocument(fields: FieldRegistry, value: JsonValue): StoredDocument {
  if (!isObject(value)) throw new Error('a document is an object')
  return [...value]
    .map(([name, member]) => ({ fieldId: fields.register(name), value: Buffer.from(print(member)) }))
    .sort((a, b) => a.fieldId - b.fieldId)
}
