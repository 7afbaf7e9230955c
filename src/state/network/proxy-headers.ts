import type { IncomingHttpHeaders } from 'node:http'
import { fail, ok, quoted, type Result } from '../../errors/index.js'
import { readArrivals } from '../../index/index.js'
import type { HeaderPair } from '../../outbound/index.js'
import { parseUuid } from '../../shape/index.js'
import type { ProxyFacts, TaskImport, TaskOrigin } from '../../tasks/index.js'
import { NIL_VERSION } from './network.js'

/** Headers by which servers of a network tell each other what a write is about; sent with and without `X-` (spec 8 §3.5). */
const NAMES = {
  originRemote: 'Meili-Proxy-Origin-Remote',
  originTask: 'Meili-Proxy-Origin-TaskUid',
  version: 'Meili-Proxy-Origin-Network-Version',
  importRemote: 'Meili-Proxy-Import-Remote',
  importIndex: 'Meili-Proxy-Import-Index',
  importDocuments: 'Meili-Proxy-Import-Docs',
  indexCount: 'Meili-Proxy-Import-Index-Count',
  taskKey: 'Meili-Proxy-Import-Task-Key',
  totalDocuments: 'Meili-Proxy-Import-Total-Index-Docs',
} as const

/** Findling's own, with a change of the network: the version before it. In lower case, as it is read. */
export const FORMER_VERSION_HEADER = 'x-findling-former-network-version'

/** Findling's own, with documents that are handed over: when they came. */
const ARRIVALS_HEADER = 'x-findling-import-arrivals'

type Name = keyof typeof NAMES

/** Of a request that hands documents over, beside what the task keeps. */
interface ImportTotals {
  readonly indexCount: number
  readonly totalDocuments: number
}

export function proxyHeaders(origin: TaskOrigin, handed?: TaskImport & ImportTotals): HeaderPair[] {
  const values: [Name, string | number][] = [
    ['originRemote', origin.remoteName],
    ['originTask', origin.taskUid],
    ['version', origin.networkVersion],
  ]
  if (handed !== undefined) {
    values.push(['importRemote', handed.remoteName], ['importIndex', handed.indexName])
    values.push(['importDocuments', handed.documentCount], ['indexCount', handed.indexCount])
    values.push(['taskKey', handed.taskKey], ['totalDocuments', handed.totalDocuments])
  }
  const headers = values.flatMap(([name, value]): HeaderPair[] => {
    const encoded = encodeURIComponent(value)
    return [
      [NAMES[name], encoded],
      [`X-${NAMES[name]}`, encoded],
    ]
  })
  return handed?.arrivals === undefined ? headers : [...headers, [ARRIVALS_HEADER, handed.arrivals]]
}

/** What the sender says, if it is a server of the network. */
export function readProxyHeaders(headers: IncomingHttpHeaders): Result<ProxyFacts | undefined> {
  const read = readValues(headers)
  if (!read.ok) return read
  const { value: values } = read
  const inconsistent = inconsistency(values)
  if (inconsistent !== undefined) return fail('inconsistent_document_change_headers', inconsistent)
  const { originRemote, originTask, version, importRemote, importIndex, importDocuments, taskKey } = values
  if (originRemote === undefined) return ok(undefined)
  const networkVersion = version === undefined ? NIL_VERSION : parseUuid(version)
  if (networkVersion === undefined) return unreadable('version', version!, 'a UUID')
  const taskUid = countOf(originTask!)
  if (taskUid === undefined) return unreadable('originTask', originTask!, 'a whole number')
  const origin = { remoteName: originRemote, taskUid, networkVersion }
  if (importRemote === undefined) return ok({ origin })
  for (const name of ['importDocuments', 'indexCount', 'totalDocuments'] as const) {
    const value = values[name]
    if (value !== undefined && countOf(value) === undefined) return unreadable(name, value, 'a whole number')
  }
  const documentCount = countOf(importDocuments!)!
  const handed = { remoteName: importRemote, indexName: importIndex!, documentCount, taskKey: taskKey ?? '' }
  const arrivals = headers[ARRIVALS_HEADER]
  if (arrivals === undefined) return ok({ origin, import: handed })
  if (readArrivals(String(arrivals), documentCount) === undefined) {
    return fail('invalid_header_value', `Header \`${ARRIVALS_HEADER}\`: a number for each document was expected.`)
  }
  return ok({ origin, import: { ...handed, arrivals: String(arrivals) } })
}

function readValues(headers: IncomingHttpHeaders): Result<Partial<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {}
  for (const name of Object.keys(NAMES) as Name[]) {
    const lower = NAMES[name].toLowerCase()
    const sent = headers[`x-${lower}`] ?? headers[lower]
    if (sent === undefined) continue
    const value = decoded(String(sent))
    if (value === undefined) return unreadable(name, String(sent), 'a percent-encoded text')
    values[name] = value
  }
  return ok(values)
}

const ORIGIN = ['originRemote', 'originTask'] as const
const IMPORT = ['importRemote', 'importIndex', 'importDocuments'] as const
const TOTALS = ['indexCount', 'taskKey', 'totalDocuments'] as const

/** Those that belong together, and that there is an origin. */
function inconsistency(values: Partial<Record<Name, string>>): string | undefined {
  for (const group of [ORIGIN, IMPORT, TOTALS]) {
    const missing = group.filter((name) => values[name] === undefined)
    if (missing.length === 0 || missing.length === group.length) continue
    const shown = (names: readonly Name[]) => names.map((name) => `\`X-${NAMES[name]}\``).join(', ')
    return `The headers ${shown(group)} go together; missing: ${shown(missing)}.`
  }
  if (values.importRemote === undefined || values.originRemote !== undefined) return undefined
  return `Documents are handed over without saying by which task: \`X-${NAMES.originRemote}\` is missing.`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function countOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function unreadable(name: Name, value: string, expected: string): Result<never> {
  return fail('invalid_header_value', `Header \`X-${NAMES[name]}\`: ${expected} was expected, not ${quoted(value)}.`)
}
