import { idFromValue, storedJson } from '../documents/index.js'
import { ok, type Result } from '../errors/index.js'
import type { IndexFolder } from '../folder/index.js'
import { isObject, type JsonObject, type JsonValue, print } from '../json/index.js'
import type { SearchIndex } from '../match/index.js'
import type { EngineContext } from './engine-context.js'
import { HitFormatter } from './format/hit-formatter.js'
import type { Stages } from './stages.js'

/** One foreign key of an index, with the way to the documents that it leads to. */
interface Join {
  readonly path: string
  documentOf(id: string): JsonValue
}

interface Hydrated {
  readonly members: string
  readonly formatted: string | undefined
}

/** Replaces the keys of foreign documents in hits by these documents (spec 6 §11). */
export class Hydrator {
  private constructor(
    private readonly joins: readonly Join[],
    private readonly stages: Stages,
  ) {}

  /** Null when there is nothing to replace. Fails when a foreign index does not exist. */
  static prepare({ settings }: SearchIndex, context: EngineContext, stages: Stages): Result<Hydrator | null> {
    if (!context.gates.foreignKeys || settings.foreignKeys.length === 0) return ok(null)
    const joins: Join[] = []
    for (const { foreignIndexUid, fieldName } of settings.foreignKeys) {
      const index = context.open(foreignIndexUid)
      if (!index.ok) return index
      joins.push({ path: fieldName, documentOf: documentReader(index.value) })
    }
    return ok(new Hydrator(joins, stages))
  }

  /** Takes and gives the members of a hit without braces, and the value of its `_formatted`. */
  hydrate(members: string, formatted: string | undefined): Hydrated {
    return this.stages.measure('search > hydrate documents', () => this.replaceAll(members, formatted))
  }

  private replaceAll(members: string, formatted: string | undefined): Hydrated {
    const hit = storedJson(`{${members}}`) as JsonObject
    const shown = formatted === undefined ? undefined : (storedJson(formatted) as JsonObject)
    for (const { path, documentOf } of this.joins) {
      // All ids are found before any is replaced, so that no document found is looked into.
      const ids = new Set<string>()
      visit(hit, path, (value) => collectIds(value, ids))
      const documents = new Map([...ids].map((id) => [id, documentOf(id)]))
      visit(hit, path, (value) => replaceIds(value, documents))
      if (shown !== undefined) visit(shown, path, (value) => replaceIds(value, documents))
    }
    return { members: print(hit).slice(1, -1), formatted: shown && print(shown) }
  }
}

function documentReader(index: SearchIndex): (id: string) => JsonValue {
  const folder: IndexFolder = index.folder
  const formatter = new HitFormatter(index, {
    attributesToRetrieve: null,
    attributesToHighlight: null,
    attributesToCrop: null,
    cropLength: 0,
    cropMarker: '',
    highlightPreTag: '',
    highlightPostTag: '',
    showMatchesPosition: false,
    locales: null,
    terms: undefined,
  })
  return (id) => {
    const docId = folder.docIdOf(id)
    const document = docId === undefined ? undefined : folder.document(docId)
    return storedJson(document === undefined ? '{}' : `{${formatter.members(document, HIDDEN)}}`)
  }
}

const HIDDEN: ReadonlySet<string> = new Set(['_vectors'])

type Change = (value: JsonValue) => JsonValue

/** Gives every value at a dotted path to `change`, through objects and arrays, and puts its answer in the place. */
function visit(object: JsonObject, path: string, change: Change): void {
  for (const [name, value] of object) {
    if (name === path) object.set(name, change(value))
    else if (path.startsWith(`${name}.`)) descend(value, path.slice(name.length + 1), change)
  }
}

function descend(value: JsonValue, path: string, change: Change): void {
  if (isObject(value)) visit(value, path, change)
  else if (Array.isArray(value)) for (const item of value) descend(item, path, change)
}

/** In an array, what cannot be an id ends the collection. */
function collectIds(value: JsonValue, ids: Set<string>): JsonValue {
  for (const item of Array.isArray(value) ? value : [value]) {
    const id = idFromValue(item)
    if (!id?.ok) break
    ids.add(id.value)
  }
  return value
}

function replaceIds(value: JsonValue, documents: ReadonlyMap<string, JsonValue>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => replacement(item, documents))
  return replacement(value, documents)
}

function replacement(value: JsonValue, documents: ReadonlyMap<string, JsonValue>): JsonValue {
  const id = idFromValue(value)
  return id?.ok ? (documents.get(id.value) ?? value) : value
}
