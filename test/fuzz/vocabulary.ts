/**
 * Words the fuzzer knows: they let random requests get past the first check of a route. Every URL is on this machine,
 * so that no request made from a stored one can leave it.
 */
const LOOPBACK = '"http://127.0.0.1:9/"'
const TEXTS = ['""', '"a"', '"*"', '"title"', '"id"', '"genres"', '"_geo"', '"été 日本"', '"\\u0000"']
const NAMES = ['[]', '["*"]', '["title"]', '["id","genres"]', '["title","title"]', '["a*"]', '[""]', 'null']
const COUNTS = ['0', '1', '20', '1000', '4294967295', '18446744073709551615']
const FLAGS = ['true', 'false', 'null']
const FILTERS = [
  '"id = 1"',
  '"genres IN [a, \'b c\'] AND NOT id > 2"',
  '"title EXISTS OR title IS NULL OR title IS EMPTY"',
  '"_geoRadius(48.8, 2.3, 1000)"',
  '"_geoBoundingBox([1, 2], [3, 4])"',
  '"title CONTAINS a"',
  '"id 1 TO 3"',
  '["id = 1", ["id = 2", "id = 3"]]',
  `"${'('.repeat(500)}id = 1${')'.repeat(500)}"`,
  `"${'NOT '.repeat(500)}id = 1"`,
  '"id = "',
  '"\'"',
]
const SORTS = ['["id:asc"]', '["title:desc","id:asc"]', '["_geoPoint(1,2):asc"]', '["id"]', '[]']
const MOMENTS = ['null', '"2099-01-01T00:00:00Z"', '"2099-01-01"', '"1999-01-01"', '"soon"']
const ACTIONS = ['["*"]', '["search"]', '["documents.*","indexes.get"]', '[]', '["nope"]']

export type Vocabulary = Readonly<Record<string, readonly string[]>>

const search: Vocabulary = {
  q: ['""', '"red fox"', '"\\"red fox\\" -blue"', '"a"', 'null', '"ｆｏｘ 日本 ไทย"'],
  offset: COUNTS,
  limit: COUNTS,
  page: COUNTS,
  hitsPerPage: COUNTS,
  attributesToRetrieve: NAMES,
  attributesToSearchOn: NAMES,
  attributesToCrop: ['["title:3"]', '["*"]', 'null'],
  cropLength: COUNTS,
  cropMarker: TEXTS,
  attributesToHighlight: NAMES,
  highlightPreTag: TEXTS,
  highlightPostTag: TEXTS,
  showMatchesPosition: FLAGS,
  showRankingScore: FLAGS,
  showRankingScoreDetails: FLAGS,
  rankingScoreThreshold: ['0', '0.5', '1', '1.5', 'null'],
  filter: FILTERS,
  sort: SORTS,
  distinct: TEXTS,
  facets: NAMES,
  matchingStrategy: ['"all"', '"last"', '"frequency"', '"none"'],
  vector: ['[0.1,0.2,0.3]', '[]', '[1e30]', 'null'],
  hybrid: ['{"embedder":"a"}', '{"embedder":"a","semanticRatio":0.5}', '{}', 'null'],
  retrieveVectors: FLAGS,
  locales: ['["eng"]', '["fr","jpn"]', '["xx"]', 'null'],
  media: ['{"a":1}', 'null'],
  personalize: ['{"userContext":"a"}', 'null'],
  useNetwork: FLAGS,
}

const settings: Vocabulary = {
  displayedAttributes: NAMES,
  searchableAttributes: NAMES,
  filterableAttributes: [...NAMES, '[{"attributePatterns":["id"],"features":{"facetSearch":true}}]', '["_geo"]'],
  sortableAttributes: NAMES,
  rankingRules: ['["words","typo","proximity","attribute","sort","exactness"]', '["id:asc"]', '[]', '["nope"]'],
  stopWords: NAMES,
  nonSeparatorTokens: NAMES,
  separatorTokens: NAMES,
  dictionary: NAMES,
  synonyms: ['{"fox":["red fox"],"a":["b"]}', '{}', 'null', '{"a":"b"}'],
  distinctAttribute: TEXTS,
  proximityPrecision: ['"byWord"', '"byAttribute"', 'null', '"far"'],
  typoTolerance: ['{"enabled":false}', '{"minWordSizeForTypos":{"oneTypo":3,"twoTypos":2}}', '{}', 'null'],
  faceting: ['{"maxValuesPerFacet":5}', '{"sortFacetValuesBy":{"*":"count"}}', '{}', 'null'],
  pagination: ['{"maxTotalHits":5}', '{}', 'null'],
  embedders: [
    '{"a":{"source":"userProvided","dimensions":3}}',
    `{"a":{"source":"rest","url":${LOOPBACK},"request":"{{text}}","response":"{{embedding}}","dimensions":3}}`,
    '{"a":null}',
    'null',
  ],
  searchCutoffMs: COUNTS,
  localizedAttributes: ['[{"attributePatterns":["*"],"locales":["eng"]}]', 'null'],
  facetSearch: FLAGS,
  prefixSearch: ['"indexingTime"', '"disabled"', 'null'],
  foreignKeys: ['[]', '[{"fieldName":"a","foreignIndexUid":"movies"}]', 'null'],
  chat: ['{}', 'null', '{"description":"a"}'],
}

const key: Vocabulary = {
  uid: ['"6f1c2d3e-0a1b-4c2d-8e3f-112233445566"', '"nope"'],
  name: TEXTS,
  description: TEXTS,
  actions: ACTIONS,
  indexes: ['["*"]', '["movies"]', '["a-*"]', '["é"]'],
  expiresAt: MOMENTS,
}

const tasks: Vocabulary = {
  uids: COUNTS,
  batchUids: COUNTS,
  statuses: ['"succeeded"', '"failed,enqueued"', '"nope"', '"*"'],
  types: ['"documentAdditionOrUpdate"', '"UpgradeDatabase"', '"nope"'],
  indexUids: TEXTS,
  canceledBy: COUNTS,
  limit: COUNTS,
  from: COUNTS,
  reverse: FLAGS,
  afterEnqueuedAt: MOMENTS,
  beforeEnqueuedAt: MOMENTS,
  afterStartedAt: MOMENTS,
  beforeFinishedAt: MOMENTS,
}

const documents: Vocabulary = {
  offset: COUNTS,
  limit: COUNTS,
  fields: NAMES,
  filter: FILTERS,
  sort: SORTS,
  ids: ['["1"]', '[1,"a"]', '[]', 'null'],
  retrieveVectors: FLAGS,
  useNetwork: FLAGS,
  primaryKey: TEXTS,
  csvDelimiter: ['";"', '"ab"', '"é"'],
  skipCreation: FLAGS,
  customMetadata: TEXTS,
}

const features = Object.fromEntries(
  [
    'metrics',
    'logsRoute',
    'editDocumentsByFunction',
    'containsFilter',
    'dynamicSearchRules',
    'network',
    'getTaskDocumentsRoute',
    'taskQueueCompactionRoute',
    'compositeEmbedders',
    'chatCompletions',
    'multimodal',
    'foreignKeys',
    'renderRoute',
  ].map((name) => [name, FLAGS]),
)

/** Members of bodies and names of query parameters, by the end of the route's path. The first match counts. */
export const VOCABULARIES: readonly (readonly [RegExp, Vocabulary])[] = [
  [
    /\/multi-search$/,
    {
      queries: ['[]', '[{"indexUid":"movies"}]', '[{"indexUid":"movies","q":"a","limit":1},{"indexUid":"a"}]', '[{}]'],
      federation: ['{}', '{"limit":1}', '{"facetsByIndex":{"movies":["id"]}}', 'null'],
    },
  ],
  [/\/facet-search$/, { ...search, facetName: TEXTS, facetQuery: TEXTS, exhaustiveFacetCount: FLAGS }],
  [/\/similar$/, { ...search, id: ['1', '"1"', '"a"', 'null'], embedder: TEXTS }],
  [/\/search$/, search],
  [/\/settings$/, settings],
  [/\/keys/, key],
  [/\/(tasks|batches)/, tasks],
  [
    /\/documents\/edit$/,
    {
      function: ['"doc.a = 1"', '"doc = ()"', '"while true {}"', '"fn f() { f() } f()"', '"{"'],
      filter: FILTERS,
      context: ['{"a":1}', '[]', 'null'],
    },
  ],
  [/\/documents/, documents],
  [/\/experimental-features$/, features],
  [/\/webhooks/, { url: [LOOPBACK, '"nope"'], headers: ['{"a":"b"}', '{"a":null}', '{"\\n":"b"}', '{}'] }],
  [/\/swap-indexes$/, { indexes: ['["movies","a"]', '["a"]', '[]'], rename: FLAGS }],
  [/\/export$/, { url: [LOOPBACK, '"nope"'], apiKey: TEXTS, payloadSize: TEXTS, indexes: ['{"*":{}}', '{}'] }],
  [
    /\/network$/,
    {
      self: TEXTS,
      leader: TEXTS,
      remotes: [`{"a":{"url":${LOOPBACK}}}`, '{"a":null}', 'null'],
      shards: ['{}', 'null'],
    },
  ],
  [/\/logs\//, { target: ['"info"', '"a=b=c"', '""'], mode: ['"human"', '"json"', '"nope"'], profileMemory: FLAGS }],
  [
    /\/fields$/,
    { offset: COUNTS, limit: COUNTS, filter: ['{"searchable":true}', '{"attributePatterns":["*"]}', 'null'] },
  ],
  [
    /\/render-template$/,
    {
      template: ['{"kind":"inline","inline":"{{doc.title}}"}', '{"kind":"inline","inline":"{% for"}'],
      input: ['null', '{"kind":"inlineDocument","inline":{"title":"a"}}'],
    },
  ],
  [
    /\/dynamic-search-rules/,
    {
      uid: TEXTS,
      description: TEXTS,
      priority: COUNTS,
      active: FLAGS,
      conditions: ['[]', '[{"scope":"query","isEmpty":true}]'],
      actions: ['[]', '[{"selector":{"indexUid":"movies","id":"1"},"action":{"type":"pin","position":1}}]'],
      offset: COUNTS,
      limit: COUNTS,
      filter: ['null', '{"active":true}'],
    },
  ],
  [/\/completions$/, { model: TEXTS, messages: ['[]', '[{"role":"user","content":"a"}]'], stream: FLAGS }],
  [
    /\/chats/,
    {
      source: ['"openAi"', '"vLlm"', '"nope"', '""', 'null'],
      baseUrl: [LOOPBACK],
      apiKey: TEXTS,
      prompts: ['{}', '{"system":"a"}'],
      offset: COUNTS,
      limit: COUNTS,
    },
  ],
  [/\/stats$/, { showInternalDatabaseSizes: FLAGS, sizeFormat: ['"human"', '"raw"', '"big"'] }],
  [/\/indexes/, { uid: TEXTS, primaryKey: TEXTS, offset: COUNTS, limit: COUNTS }],
]

const DOCUMENTS = [
  '[{"id":1,"title":"red fox","genres":["a","b"],"_geo":{"lat":1,"lng":2}},{"id":2,"title":"blue fox"}]',
  '[{"id":1,"_vectors":{"a":[0.1,0.2,0.3]}},{"id":"no/good"}]',
  '{"id":3,"deep":{"er":{"and":["er",{"a":null}]}}}',
  '[{"id":4},{"id":"5"},{"id":4.5},{"title":"none"}]',
  '[]',
  '{"id":1}\n{"id":2,"title":null}\n\n{"id":3}',
  'id,title:string,year:number\n1,"red, fox",1999\n2,"b",\n',
  'id\n"1',
]
const IDS = ['[1,2,"3"]', '["a"]', '[]', '[1.5]', '[{"id":1}]']

/** Bodies that are no object of named members: documents, lists of ids, the value of one setting. */
export function wholeBodies(path: string): readonly string[] {
  if (/\/documents$/.test(path)) return DOCUMENTS
  if (/\/delete-batch$/.test(path)) return IDS
  if (/\/swap-indexes$/.test(path))
    return ['[]', '[{"indexes":["movies","a"]}]', '[{"indexes":["a","b"],"rename":true}]']
  const setting = /\/settings\/([a-z-]+)$/.exec(path)?.[1]?.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return (setting && settings[setting]) || []
}

/** What a round starts with, so that searches and updates have something to find: requests with the master key. */
export const PREPARATION: readonly (readonly [method: string, path: string, body: string])[] = [
  [
    'PATCH',
    '/experimental-features',
    JSON.stringify(Object.fromEntries(Object.keys(features).map((name) => [name, true]))),
  ],
  ['POST', '/indexes/movies/documents', DOCUMENTS[0] ?? ''],
  [
    'PATCH',
    '/indexes/movies/settings',
    '{"filterableAttributes":["id","genres","_geo"],"sortableAttributes":["id","_geo"]}',
  ],
  ['PATCH', '/indexes/movies/settings/embedders', '{"a":{"source":"userProvided","dimensions":3}}'],
  ['POST', '/indexes/movies/documents', DOCUMENTS[1] ?? ''],
  // Else it would ask a provider far away.
  ['PATCH', '/chats/a/settings', `{"source":"vLlm","baseUrl":${LOOPBACK}}`],
  ['POST', '/indexes/a/documents', DOCUMENTS[0] ?? ''],
]
