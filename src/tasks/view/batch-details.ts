import { fromPlain, RawJson, toPlain } from '../../json/index.js'
import type { Batch } from '../model/batch.js'
import type { Details } from './details-model.js'

type Rule = (left: unknown, right: unknown) => unknown

const sum: Rule = (left, right) => (left as number) + (right as number)
const sumKnown: Rule = (left, right) =>
  left === null ? right : right === null ? left : (left as number) + (right as number)
const joined: Rule = (left, right) =>
  left === null ? right : right === null ? left : `${left as string}&${right as string}`
const firstKnown: Rule = (left, right) => left ?? right
const first: Rule = (left) => left
const last: Rule = (_, right) => right
const concatenated: Rule = (left, right) => [...(left as unknown[]), ...(right as unknown[])]
const byName: Rule = (left, right) =>
  left instanceof Map && right instanceof Map ? new Map([...left, ...right]) : right

/** What happens when two tasks of a batch have the same member (spec 2 §3.2). Settings: the later one wins. */
const rules: Readonly<Record<string, Rule>> = {
  receivedDocuments: sum,
  movedDocuments: sum,
  providedIds: sum,
  matchedTasks: sum,
  indexedDocuments: sumKnown,
  editedDocuments: sumKnown,
  deletedDocuments: sumKnown,
  canceledTasks: sumKnown,
  deletedTasks: sumKnown,
  originalFilter: joined,
  primaryKey: firstKnown,
  dumpUid: firstKnown,
  context: firstKnown,
  swaps: concatenated,
  upgradeFrom: first,
  upgradeTo: last,
  embedders: byName,
  function: first,
  oldIndexUid: first,
  newIndexUid: first,
  url: first,
  apiKey: first,
  payloadSize: first,
  indexes: first,
  message: first,
  preCompactionSize: first,
  postCompactionSize: first,
}

/** Members that vanish from a finished batch when nothing is known of them. */
const droppedWhenNull = new Set([
  'indexedDocuments',
  'editedDocuments',
  'deletedDocuments',
  'canceledTasks',
  'deletedTasks',
  'originalFilter',
  'primaryKey',
  'dumpUid',
  'context',
])

export function mergeDetails(all: Iterable<Details | undefined>): Details {
  const merged: Details = {}
  for (const details of all) {
    for (const [name, value] of Object.entries(details ?? {})) {
      merged[name] = name in merged ? (rules[name] ?? last)(merged[name], value) : value
    }
  }
  return merged
}

/** How a record keeps details. Settings among them are `JsonValue`, or text when they are long; the record is plain JSON. */
export function storedDetails(details: Details): Pick<Batch, 'details' | 'longDetails'> {
  const short: Details = {}
  const long: Record<string, string> = {}
  for (const [name, value] of Object.entries(details)) {
    if (value instanceof RawJson) long[name] = value.text
    short[name] = value instanceof RawJson ? null : toPlain(fromPlain(value))
  }
  return Object.keys(long).length === 0 ? { details: short } : { details: short, longDetails: long }
}

/** The details of such a record. */
export function shownDetails({ details, longDetails = {} }: Pick<Batch, 'details' | 'longDetails'>): Details {
  const long = Object.entries(longDetails).map(([name, text]) => [name, new RawJson(text)])
  return { ...details, ...Object.fromEntries(long) }
}

/** The details of a finished batch. */
export function withoutNulls(details: Details): Details {
  return Object.fromEntries(
    Object.entries(details).filter(([name, value]) => value !== null || !droppedWhenNull.has(name)),
  )
}
