import fc from 'fast-check'
import type { Description, Schema } from './description.js'

/** Beyond this, what may be left out is left out. Embedders stand in embedders. */
const MAX_DEPTH = 6

/** Every URL is on this machine, so that no request made from a stored one can leave it. */
const LOOPBACK = 'http://127.0.0.1:9/'

/** Sources that are asked at a URL that the request names, or not at all. */
const LOCAL_SOURCES: readonly unknown[] = ['userProvided', 'rest', 'ollama', 'vLlm']

const FILTERS = ['id = 1', 'genres IN [a, b] AND NOT id > 2', 'title EXISTS', '_geoRadius(48.8, 2.3, 1000)', 'nope']
const SORTS = ['id:asc', 'title:desc', '_geoPoint(1,2):asc', 'id']
const TEMPLATES = ['{{doc.title}}', '{% for f in fields %}{{f.name}}{% endfor %}', '{{doc.nope', '']

/** What texts and lists of texts hold, by the name of the field. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  filter: FILTERS,
  sort: SORTS,
  q: ['', 'red fox', '"red fox" -blue', 'a'],
  function: ['doc.a = 1', 'doc = ()', 'while true {}', '{'],
  documentTemplate: TEMPLATES,
  inline: TEMPLATES,
  url: [LOOPBACK],
  baseUrl: [LOOPBACK],
  embedder: ['a', 'nope'],
  hybridEmbedder: ['a', 'nope'],
  primaryKey: ['id', 'title'],
  customMetadata: ['a', ''],
  csvDelimiter: [';', ','],
  target: ['info', 'info,server=debug', ''],
  rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness', 'id:asc'],
  ids: ['1', 'a'],
  id: ['1', '2', 'a'],
}

const ATTRIBUTES = ['title', 'id', 'genres', '*', 'a', '', '_geo', 'été 日本', '__proto__', 'a.b']

/** Values that schemas allow, most of them with something in them that the server knows. */
export class SchemaValues {
  constructor(private readonly description: Description) {}

  /** `name` is that of the field, which says what texts are about. */
  of(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
    const resolved = this.description.resolve(schema)
    const { enum: choices, const: only, anyOf, allOf } = resolved
    if (only !== undefined) return fc.constant(only)
    if (choices) return fc.constantFrom(...allowed(name, choices))
    if (anyOf) return fc.oneof(...anyOf.map((part) => this.of(part, name, depth)))
    if (allOf) return this.merged(allOf, depth)
    const types = [resolved.type ?? ANYTHING].flat()
    return fc.oneof(...types.map((type) => this.ofType(type, { schema: resolved, name, depth })))
  }

  private merged(parts: readonly Schema[], depth: number): fc.Arbitrary<unknown> {
    return fc.tuple(...parts.map((part) => this.of(part, '', depth))).map((all) => Object.assign({}, ...all))
  }

  private ofType(type: string, at: Place): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return integers(at.schema)
      case 'number':
        return fc.oneof(integers(at.schema), fc.constantFrom(0.5, 0.1, 1))
      case 'string':
        return texts(at.schema, at.name)
      case 'array':
        return fc.array(this.of(at.schema.items ?? TEXT, at.name, at.depth + 1), { maxLength: 3 })
      default:
        return this.objects(at)
    }
  }

  private objects(at: Place): fc.Arbitrary<unknown> {
    const sparse = this.objectsWith(at, { given: 1, absent: 4 })
    // What whole bodies need for more than their first checks.
    return at.depth === 0 ? fc.oneof(sparse, this.objectsWith(at, { given: 4, absent: 1 })) : sparse
  }

  private objectsWith({ schema, depth }: Place, chance: Chance): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], additionalProperties: others } = schema
    const isFlat = depth >= MAX_DEPTH
    const entries = Object.entries(properties).filter(([name]) => !isFlat || required.includes(name))
    const members = entries.map(([name, part]) => {
      const given = this.of(part, name, depth + 1).map((value) => ({ [name]: value }))
      return required.includes(name) ? given : maybe(given, chance)
    })
    const free = typeof others === 'object' && !isFlat ? this.freeMembers(others, depth) : fc.constant({})
    return fc.tuple(free, ...members).map((all) => Object.assign({}, ...all))
  }

  private freeMembers(schema: Schema, depth: number): fc.Arbitrary<object> {
    const names = fc.constantFrom('movies', 'a', 'title', '*')
    return fc.dictionary(names, this.of(schema, '', depth + 1), { maxKeys: 2 })
  }
}

interface Place {
  readonly schema: Schema
  readonly name: string
  readonly depth: number
}

/** Of a member that need not be there: two weights. */
interface Chance {
  readonly given: number
  readonly absent: number
}

const maybe = (arbitrary: fc.Arbitrary<object>, { given, absent }: Chance): fc.Arbitrary<object> =>
  fc.oneof({ weight: given, arbitrary }, { weight: absent, arbitrary: fc.constant({}) })

const TEXT: Schema = { type: 'string' }
const ANYTHING: readonly string[] = ['string', 'integer', 'null', 'boolean', 'array', 'object']

function allowed(name: string, choices: readonly unknown[]): readonly unknown[] {
  const local = choices.filter((choice) => LOCAL_SOURCES.includes(choice))
  return name === 'source' && local.length > 0 ? local : choices
}

function integers({ minimum = 0, maximum = 2 ** 53 - 1 }: Schema): fc.Arbitrary<number> {
  const near = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) })
  return fc.oneof({ weight: 6, arbitrary: near }, fc.constant(minimum), fc.constant(maximum))
}

function texts({ pattern, format }: Schema, name: string): fc.Arbitrary<string> {
  if (pattern) return fc.constantFrom('movies', 'a', 'b-1')
  if (format === 'uuid')
    return fc.constantFrom('6f1c2d3e-0a1b-4c2d-8e3f-112233445566', '00000000-0000-4000-8000-000000000000')
  if (format === 'date-time') return fc.constantFrom('2099-01-01T00:00:00Z', '2020-01-01T00:00:00Z')
  if (format === 'date') return fc.constantFrom('2099-01-01', '2020-01-01')
  return fc.constantFrom(...(WORDS[name] ?? ATTRIBUTES))
}
