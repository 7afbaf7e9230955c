import type { Schema } from '../shape/index.js'
import type { Vocabulary } from './vocabulary.js'

/** What answers look like. Requests are described by the shapes that check them; answers are checked by tests alone. */
type Members = Readonly<Record<string, Schema>>

type AnswerName = keyof ReturnType<typeof answerSchemas>

export const ref = (name: AnswerName): Schema => ({ $ref: `#/components/schemas/${name}` })

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }
const flag: Schema = { type: 'boolean' }
const count: Schema = { type: 'integer', minimum: 0 }
const countOrNull: Schema = { type: ['integer', 'null'], minimum: 0 }
const number: Schema = { type: 'number' }
const time: Schema = { type: 'string', format: 'date-time' }
const timeOrNull: Schema = { type: ['string', 'null'], format: 'date-time' }
const duration: Schema = { type: ['string', 'null'], format: 'duration' }
const uuid: Schema = { type: 'string', format: 'uuid' }
const size: Schema = { type: ['integer', 'string'], description: 'Bytes, or a text such as `1.5 MiB` on demand.' }

export const listOf = (items: Schema): Schema => ({ type: 'array', items })
const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })
const choice = (choices: readonly string[]): Schema => ({ type: 'string', enum: choices })

/** An object with these members and no others. */
export function members(always: Members, sometimes: Members = {}): Schema {
  return {
    type: 'object',
    properties: { ...always, ...sometimes },
    required: Object.keys(always),
    additionalProperties: false,
  }
}

/** One page of a list. */
export const pageOf = (items: Schema): Schema =>
  members({ results: listOf(items), offset: count, limit: count, total: count })

/** One page of a list that is walked by uid. */
export const walkOf = (items: Schema): Schema =>
  members({ results: listOf(items), total: count, limit: count, from: countOrNull, next: countOrNull })

const error = members({
  message: { ...text, description: 'What is wrong, for people.' },
  code: { ...text, description: 'What is wrong, for programs.' },
  type: choice(['invalid_request', 'auth', 'internal', 'system']),
  link: { ...text, description: 'Where more is written about the code.' },
})

const errorOrNull: Schema = { anyOf: [error, { type: 'null' }] }

const facets: Members = { facetDistribution: mapOf(mapOf(count)), facetStats: mapOf(mapOf(number)) }

/** A page by offset and limit, or one by number. */
const totals: Members = {
  offset: count,
  limit: count,
  estimatedTotalHits: count,
  page: count,
  hitsPerPage: count,
  totalPages: count,
  totalHits: count,
}

const metadata = members({ queryUid: uuid, indexUid: text }, { query: text, primaryKey: text, remote: text })

const extras: Members = {
  ...totals,
  ...facets,
  remoteErrors: mapOf(error),
  semanticHitCount: count,
  performanceDetails: { type: 'object', description: 'How long each step took.' },
}

const found: Members = { hits: listOf({ $ref: '#/components/schemas/Hit' }), processingTimeMs: count, requestUid: uuid }

const searchAnswer = members(
  { ...found, query: text },
  { ...extras, queryVector: listOf(number), metadata, indexUid: text },
)

const federatedAnswer = members(found, {
  ...extras,
  facetsByIndex: mapOf(members({ distribution: mapOf(mapOf(count)), stats: mapOf(mapOf(number)) })),
  queryVectors: mapOf(listOf(number)),
  metadata: listOf(metadata),
})

const hit: Schema = {
  type: 'object',
  description: 'The document, with what the search adds to it.',
  properties: {
    _formatted: { type: 'object', description: 'The document, highlighted and cropped; all values are texts.' },
    _matchesPosition: mapOf(listOf(members({ start: count, length: count }, { indices: listOf(count) }))),
    _rankingScore: { type: 'number', minimum: 0, maximum: 1 },
    _rankingScoreDetails: { type: 'object' },
    _geoDistance: { ...count, description: 'Meters from the point that the search is sorted by.' },
    _vectors: { type: 'object' },
    _federation: { type: 'object', description: 'The query and the index that a hit of a federated search is from.' },
  },
}

const summary = ({ taskTypes }: Vocabulary): Members => ({
  indexUid: textOrNull,
  type: choice(taskTypes),
  enqueuedAt: time,
})

const task = (words: Vocabulary): Schema =>
  members(
    {
      ...summary(words),
      uid: count,
      batchUid: countOrNull,
      status: choice(words.taskStatuses),
      canceledBy: countOrNull,
      error: errorOrNull,
      duration,
      startedAt: timeOrNull,
      finishedAt: timeOrNull,
    },
    { details: { type: 'object', description: 'What was asked and what came of it, by type.' }, customMetadata: text },
  )

const step = members({ currentStep: text, finished: count, total: count })

const batch = members({
  uid: count,
  progress: { anyOf: [members({ steps: listOf(step), percentage: number }), { type: 'null' }] },
  details: { type: 'object' },
  stats: members(
    { totalNbTasks: count, status: mapOf(count), types: mapOf(count), indexUids: mapOf(count) },
    {
      progressTrace: mapOf(text),
      writeChannelCongestion: members({ attempts: count, blocking_attempts: count, blocking_ratio: number }),
      internalDatabaseSizes: mapOf(text),
      embedderRequests: members({ total: count, failed: count }, { lastError: text }),
    },
  ),
  duration,
  startedAt: timeOrNull,
  finishedAt: timeOrNull,
  batchStrategy: text,
})

const indexStats = members(
  {
    numberOfDocuments: count,
    rawDocumentDbSize: size,
    avgDocumentSize: size,
    isIndexing: flag,
    numberOfEmbeddings: count,
    numberOfEmbeddedDocuments: count,
    fieldDistribution: mapOf(count),
  },
  { internalDatabaseSizes: mapOf(size) },
)

const enabled = members({ enabled: flag })

const field = members({
  name: text,
  displayed: enabled,
  searchable: enabled,
  sortable: enabled,
  distinct: enabled,
  rankingRule: members({ enabled: flag }, { order: choice(['asc', 'desc']) }),
  filterable: members({ enabled: flag, sortBy: text, facetSearch: flag, equality: flag, comparison: flag }),
  localized: members({ locales: listOf(text) }),
})

const key = ({ actions }: Vocabulary): Schema =>
  members({
    name: textOrNull,
    description: textOrNull,
    key: text,
    uid: uuid,
    actions: listOf(choice(actions)),
    indexes: listOf(text),
    expiresAt: timeOrNull,
    createdAt: time,
    updatedAt: time,
  })

const remote = members({ url: text, searchApiKey: textOrNull, writeApiKey: textOrNull, status: text })

const member = members({
  name: text,
  url: textOrNull,
  version: text,
  self: { ...flag, description: 'The server that answers.' },
  isReady: { ...flag, description: 'Its data are those of the others, or about to be.' },
  isCoordinator: flag,
  registered: { ...count, description: 'Place in the log up to which it knows everything.' },
  carriedOut: { ...count, description: 'Place in the log of the last batch that it carried out.' },
  lag: { ...count, description: 'Entries of the log that it has not read yet.' },
  silentMs: { ...count, description: 'How long it has not been heard of.' },
})

const replica = members({ name: text, isLeader: flag, isCurrent: flag, isOffline: flag, lag: count })

const cluster = members(
  { enabled: flag },
  {
    name: text,
    node: { ...text, description: 'The name of the server that answers.' },
    isReady: flag,
    coordinator: textOrNull,
    members: listOf(member),
    log: members({
      lastSequence: count,
      firstSequence: { ...countOrNull, description: 'This and what follows is null while nobody answers for the log.' },
      leader: textOrNull,
      replicas: { type: ['array', 'null'], items: replica },
      bytes: countOrNull,
      blobBytes: countOrNull,
      silentMs: { ...countOrNull, description: 'How long ago the log answered this server; null when it never did.' },
    }),
    problem: { ...textOrNull, description: 'Why this server cannot go on with the data that it has.' },
    shards: {
      type: 'object',
      additionalProperties: listOf(text),
      description: 'Who has the documents of which shard; absent where every server has all documents.',
    },
    shardChange: { ...countOrNull, description: 'The task that changes the shards.' },
  },
)

const prompts = members({
  system: text,
  searchDescription: text,
  searchQParam: text,
  searchFilterParam: text,
  searchIndexUidParam: text,
})

const rule = members(
  {
    uid: text,
    active: flag,
    conditions: listOf(members({ scope: text }, { isEmpty: flag, contains: text, start: text, end: text })),
    actions: listOf(
      members({
        selector: members({}, { indexUid: text, id: text }),
        action: members({ type: text, position: count }),
      }),
    ),
  },
  { description: text, priority: count },
)

/** The schemas of answers that have names. */
export const answerSchemas = (words: Vocabulary) =>
  ({
    Error: error,
    TaskSummary: members({ ...summary(words), taskUid: count, status: choice(['enqueued']) }, { customMetadata: text }),
    Task: task(words),
    Batch: batch,
    Index: members({ uid: text, createdAt: time, updatedAt: time, primaryKey: textOrNull }),
    IndexStats: indexStats,
    Stats: members({
      databaseSize: size,
      usedDatabaseSize: size,
      lastUpdate: timeOrNull,
      indexes: mapOf({ $ref: '#/components/schemas/IndexStats' }),
    }),
    Document: { type: 'object', description: 'A document, as it was sent.' },
    DocumentPage: members(
      { results: listOf({ $ref: '#/components/schemas/Document' }), offset: count, limit: count, total: count },
      { remoteErrors: mapOf(error), sortValues: { type: 'array', description: 'For servers among themselves.' } },
    ),
    Hit: hit,
    SearchAnswer: searchAnswer,
    FederatedAnswer: federatedAnswer,
    FacetSearchAnswer: members(
      { facetHits: listOf(members({ value: text, count })), facetQuery: textOrNull, processingTimeMs: count },
      { remoteErrors: mapOf(error) },
    ),
    SimilarAnswer: members(
      { hits: listOf({ $ref: '#/components/schemas/Hit' }), id: text, processingTimeMs: count },
      { ...totals, performanceDetails: { type: 'object' } },
    ),
    Field: field,
    Key: key(words),
    Features: members(Object.fromEntries(words.features.map((name) => [name, flag]))),
    Webhook: members({ uuid, isEditable: flag, url: text }, { headers: mapOf(text) }),
    Network: members({
      self: textOrNull,
      remotes: mapOf(remote),
      shards: mapOf(members({ remotes: listOf(text) })),
      leader: textOrNull,
      version: uuid,
    }),
    WorkspaceSettings: members(
      {
        source: { ...textOrNull, description: 'Null as long as none was set.' },
        orgId: textOrNull,
        projectId: textOrNull,
        apiVersion: textOrNull,
        deploymentId: textOrNull,
        baseUrl: textOrNull,
        prompts,
      },
      { apiKey: textOrNull },
    ),
    Cluster: cluster,
    SearchRule: rule,
    Compaction: members({ status: text }, { preSize: text, postSize: text, errorMessage: text }),
  }) satisfies Readonly<Record<string, Schema>>
