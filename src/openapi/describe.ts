import { type ErrorCode, statusOf } from '../errors/index.js'
import type { QueryParam, Schema } from '../shape/index.js'
import { answerSchemas, ref } from './answers.js'
import type { DescribedBody, DescribedRoute } from './described-route.js'
import { explained } from './explain.js'
import { NamedSchemas } from './named-schemas.js'
import { type Answered, AS_SENT, headerParameters, type Operation } from './operations/operation.js'
import { operationOf, tags } from './operations.js'
import { pathParameters } from './path-parameters.js'
import type { Vocabulary } from './vocabulary.js'

/** An OpenAPI 3.1 document. */
export interface Description {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: Schema }
  readonly [member: string]: unknown
}

/**
 * Describes routes by the very shapes that check their requests. Throws on a route that `operationOf` does not know.
 * This folder imports types and `errors` only: what it shared with the server otherwise would become files of their own
 * in the built program, which every start had to load.
 */
export function describeRoutes(routes: readonly DescribedRoute[], words: Vocabulary): Description {
  const names = new NamedSchemas()
  const paths: Record<string, Record<string, Schema>> = {}
  for (const route of routes) {
    const ofPath = (paths[route.path] ??= {})
    ofPath[route.method.toLowerCase()] = describeRoute(route, { routes, names })
  }
  const description = {
    openapi: '3.1.0',
    info: {
      title: 'Findling',
      version: words.interfaceVersion,
      summary: 'A search server: JSON documents in, ranked hits out.',
      description: `Findling ${words.packageVersion}. ${ABOUT}`,
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...answerSchemas(words), ...names.all() },
      responses: { Failure: { ...REFUSAL, description: 'Something else went wrong.' } },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: KEYS } },
    },
  }
  return explained(description) as Description
}

const ABOUT =
  'Every change is a task: it is accepted with 202 and done in its turn. ' +
  '`x-error-codes` are the codes of the refusals that a field or a parameter can cause.'

const KEYS =
  'An API key, the master key or a tenant token. The roles of an operation are the actions that the key needs, all of ' +
  'them. A server that was started without a master key asks for none.'

interface DescriptionContext {
  readonly routes: readonly DescribedRoute[]
  readonly names: NamedSchemas
}

function describeRoute(route: DescribedRoute, { routes, names }: DescriptionContext): Schema {
  const operation = operationOf(route.method, route.path)
  if (operation === undefined) throw new Error(`${route.method} ${route.path} is a route without a description`)
  const body = route.body && describeBody(route.body, names)
  const parameters = [...describePath(route), ...describeQuery(route), ...describeHeaders(operation)]
  const codes = new Set([...ownCodes(route), ...codesIn([parameters, body], names), ...(operation.codes ?? [])])
  return {
    operationId: operationId(route),
    tags: [operation.tag],
    summary: operation.summary,
    ...descriptionOf(route, operation),
    ...(operation.deprecated && { deprecated: true }),
    ...(route.feature && { 'x-experimental-feature': route.feature.name }),
    security: route.action === null ? [] : [{ bearer: [route.action].flat() }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...describeAnswers(operation, () => sentTo(route.path, { routes, names })),
      ...describeRefusals(operation, codes),
    },
  }
}

/** `GET /webhooks` is `get_webhooks`, `GET /indexes/{index_uid}/stats` is `get_indexes_index_uid_stats`. */
function operationId({ method, path }: DescribedRoute): string {
  const words = path.match(/[a-z]+/g) ?? ['root']
  return [method.toLowerCase(), ...words].join('_')
}

function descriptionOf({ feature, body }: DescribedRoute, { description }: Operation): Schema {
  const limit =
    body !== undefined && body.kind !== 'raw' && Number.isFinite(body.limitBytes) ? body.limitBytes : undefined
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(feature ? [`Needs the experimental feature \`${feature.name}\`.`] : []),
    ...(limit === undefined ? [] : [`The body may have up to ${limit} bytes.`]),
  ]
  return sentences.length === 0 ? {} : { description: sentences.join(' ') }
}

function describePath({ path, checksIndexUid = true }: DescribedRoute): Schema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const known = pathParameters[name]
    if (known === undefined) throw new Error(`{${name}} is a path parameter without a description`)
    const isLoose = name === 'index_uid' && !checksIndexUid
    return { name, in: 'path', required: true, ...known, ...(isLoose && { schema: { type: 'string' } }) }
  })
}

function describeQuery({ query, rawQueryShape }: DescribedRoute): Schema[] {
  return Object.entries(query ?? rawQueryShape ?? {}).map(([name, parameter]) => describeParameter(name, parameter))
}

function describeParameter(name: string, { param, code, missing }: QueryParam<unknown>): Schema {
  const isList = param.schema.type === 'array'
  return {
    name,
    in: 'query',
    required: missing !== 'optional',
    schema: param.schema,
    // Values of a list are written with commas between them.
    ...(isList && { style: 'form', explode: false }),
    'x-error-codes': missing === 'optional' || missing === code ? [code] : [code, missing],
  }
}

function describeHeaders({ headers = [] }: Operation): Schema[] {
  return headers.map((name) => ({ name, in: 'header', required: false, ...headerParameters[name] }))
}

function describeBody(body: DescribedBody, names: NamedSchemas): Schema {
  const types = body.kind === 'raw' ? body.types.names : ['application/json']
  const schema = body.shape?.describe(names)
  const content = types.map((type) => [type, { schema: schema ?? documentsAs(type) }])
  return { required: true, content: Object.fromEntries(content) }
}

const DOCUMENT = { type: 'object' }

/** Bodies without a shape are documents, which are checked one by one while they are stored. */
function documentsAs(type: string): Schema {
  if (type === 'application/json') return { anyOf: [DOCUMENT, { type: 'array', items: DOCUMENT }] }
  const form = type === 'text/csv' ? 'A line of names, then one document a line.' : 'One JSON object a line.'
  return { type: 'string', description: form }
}

/** The refusals that come from what a route asks for besides its shapes. */
function ownCodes({
  action,
  feature,
  body,
  query,
  rawQueryShape,
  path,
  checksIndexUid = true,
}: DescribedRoute): ErrorCode[] {
  const codes: ErrorCode[] = []
  if (action !== null) codes.push('missing_authorization_header', 'invalid_api_key')
  if ([action].flat().some((each) => each?.startsWith('keys.'))) codes.push('missing_master_key')
  if (feature) codes.push('feature_not_enabled')
  if (path.includes('{index_uid}') && checksIndexUid) codes.push('invalid_index_uid')
  if (query ?? rawQueryShape) codes.push('bad_request')
  if (body) {
    codes.push('bad_request', 'missing_content_type', 'invalid_content_type', 'missing_payload', 'malformed_payload')
    codes.push('payload_too_large', 'unsupported_media_type')
  }
  return codes
}

/** The codes that are said in a description, and in the named schemas that it refers to. */
function codesIn(described: unknown, names: NamedSchemas): Set<ErrorCode> {
  const codes = new Set<ErrorCode>()
  const seen = new Set<unknown>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    const { $ref, 'x-error-codes': own = [], 'x-immutable': immutable = {} } = node as Schema
    for (const code of [...(own as ErrorCode[]), ...(Object.values(immutable as object) as ErrorCode[])])
      codes.add(code)
    if (typeof $ref === 'string') walk(names.referred($ref))
    for (const part of Object.values(node)) walk(part)
  }
  walk(described)
  return codes
}

function describeAnswers({ answers }: Operation, sent: () => Schema): Record<string, Schema> {
  const described = Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer, sent)])
  return Object.fromEntries(described)
}

function describeAnswer({ description, content }: Answered, sent: () => Schema): Schema {
  if (content === undefined) return { description }
  const types = Object.entries(content).map(([type, schema]) => [
    type,
    { schema: schema === AS_SENT ? sent() : schema },
  ])
  return { description, content: Object.fromEntries(types) }
}

/** What the route of a path that has a body takes. */
function sentTo(path: string, { routes, names }: DescriptionContext): Schema {
  const shape = routes.find((route) => route.path === path && route.body)?.body?.shape
  if (shape === undefined) throw new Error(`nothing is sent to ${path}`)
  return shape.describe(names)
}

function describeRefusals(
  { answers, statuses = {} }: Operation,
  codes: ReadonlySet<ErrorCode>,
): Record<string, Schema> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...codes].sort()) {
    const status = statuses[code] ?? statusOf(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const described = [...byStatus]
    .filter(([status]) => answers[status] === undefined)
    .map(([status, ofStatus]) => [status, { ...REFUSAL, 'x-error-codes': ofStatus }])
  return { ...Object.fromEntries(described), default: { $ref: '#/components/responses/Failure' } }
}

const REFUSAL: Schema = {
  description: 'The request was refused.',
  content: { 'application/json': { schema: ref('Error') } },
}
