import { parseSize } from '../../config/index.js'
import { ok, type Result } from '../../errors/index.js'
import { type JsonValue, print, shown } from '../../json/index.js'
import {
  anyJson,
  bool,
  type Checked,
  isIndexPattern,
  mapOf,
  nullable,
  object,
  optional,
  type Place,
  refuse,
  type Shape,
  text,
  uint,
  wrongValue,
} from '../../shape/index.js'
import type { ExportRule } from '../../tasks/index.js'
import { enqueueTask } from '../enqueue.js'
import { jsonBody, route } from '../http/route.js'

/** A number of bytes, or a text such as `24 MiB`. */
const size: Shape<number> = {
  expected: 'a size',
  describe: (names) => ({ anyOf: [uint.describe(names), text.describe(names)] }),
  check(value: JsonValue, place: Place): Result<number> {
    if (typeof value !== 'string') return uint.check(value, place)
    const bytes = parseSize(value)
    if (bytes !== undefined) return ok(bytes)
    return refuse(place.code, wrongValue(place.path, `a size such as \`24 MiB\` was expected`))
  },
}

const rule = object(
  {
    filter: optional(anyJson, 'invalid_export_index_filter'),
    overrideSettings: optional(bool, 'invalid_export_index_override_settings'),
  },
  { code: 'bad_request' },
)

const body = object({
  url: optional(text, 'invalid_export_url'),
  apiKey: optional(nullable(text), 'invalid_export_api_key'),
  payloadSize: optional(nullable(size), 'invalid_export_payload_size'),
  indexes: optional(nullable(mapOf(rule)), 'bad_request'),
})

export const routes = [
  route({
    method: 'POST',
    path: '/export',
    action: 'export',
    body: jsonBody(body),
    handle(call) {
      const { url = '', apiKey = null, payloadSize = null } = call.body
      const indexes = readRules(call.body.indexes ?? EVERYTHING)
      if (!indexes.ok) return indexes
      const content = { type: 'export', url, apiKey, payloadBytes: payloadSize, indexes: indexes.value } as const
      return enqueueTask(call, content, { status: 200 })
    },
  }),
]

type Rules = ReadonlyMap<string, Checked<typeof rule>>

const EVERYTHING: Rules = new Map([['*', { filter: undefined, overrideSettings: undefined }]])

/** What a pattern chooses, and whether its filter is one, is the task's business (spec 2 §9.1). */
function readRules(rules: Rules): Result<ExportRule[]> {
  const read: ExportRule[] = []
  for (const [pattern, { filter = null, overrideSettings = false }] of rules) {
    if (!isIndexPattern(pattern)) return notAPattern(pattern)
    read.push({ pattern, filter: filter === null ? null : print(filter), overrideSettings })
  }
  return ok(read)
}

function notAPattern(pattern: string): Result<never> {
  const reason = `an index uid was expected, its beginning followed by \`*\`, or \`*\`; ${shown(pattern)} was found`
  return refuse('bad_request', wrongValue('.indexes', reason))
}
