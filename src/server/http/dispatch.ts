import type { ServerResponse } from 'node:http'
import { BodyPlace, type DigestKind, digestBody } from '../../bodies/index.js'
import { type Failure, FailureError, fail, failureFromSystemError, ok, type Result } from '../../errors/index.js'
import type { Logger } from '../../log/index.js'
import type { Asker } from '../../searching/index.js'
import { ClientGoneError } from '../../searching/index.js'
import { checkBody, checkQuery, isIndexUid, type Shape } from '../../shape/index.js'
import { type Access, authorize, FULL_ACCESS } from '../../state/index.js'
import { type Answer, errorAnswer } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import { type BodySource, openBody, readJson, readJsonBytes, SMALL_BYTES } from './body.js'
import type { Exchange } from './exchange.js'
import { checkContentType, JSON_TYPES } from './media-type.js'
import type { BodySpec, Call, DigestedBody, Outcome, Route } from './route.js'
import { shownPath } from './shown-path.js'

export interface Dispatched {
  readonly context: ServerContext
  readonly log: Logger
  readonly exchange: Exchange
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Runs the checks of a route in their order, then its handler; the first refusal is the answer (spec 1 §2.2). */
export async function dispatch(request: Dispatched): Promise<Answer> {
  const { context } = request
  try {
    const outcome = await check(request)
    return 'kind' in outcome ? outcome : errorAnswer(outcome.failure, context.config.errorsUrl)
  } catch (error) {
    if (error instanceof ClientGoneError) throw error
    return errorAnswer(surprise(request, error), context.config.errorsUrl)
  }
}

function surprise({ log, exchange }: Dispatched, error: unknown): Failure {
  if (error instanceof FailureError) return error.failure
  const { method, path } = exchange
  log.error({ method, path: shownPath(path), error }, 'a request failed unexpectedly')
  return failureFromSystemError(error)
}

/** Waits only where there is something to wait for: a promise for each step would cost more than most steps. */
function check(request: Dispatched): Outcome | Promise<Outcome> {
  const access = checkAccess(request)
  if (!access.ok) return access
  const input = readInput(request)
  if (input instanceof Promise) return input.then((read) => checkInput(request, access.value, read))
  return checkInput(request, access.value, input)
}

function checkInput(request: Dispatched, access: Access, input: Result<Input>): Outcome | Promise<Outcome> {
  if (!input.ok) return input
  const feature = checkFeature(request)
  if (!feature.ok) return feature
  return handle(request, new CheckedCall(request, access, input.value))
}

function checkAccess({ context, route, params, exchange }: Dispatched): Result<Access> {
  if (route.action === null) return ok(FULL_ACCESS)
  const actions = typeof route.action === 'string' ? [route.action] : route.action
  return authorize(context, { actions, indexUid: params.index_uid, header: exchange.request.headers.authorization })
}

interface Input {
  readonly query: unknown
  readonly body: unknown
}

function readInput(request: Dispatched): Result<Input> | Promise<Result<Input>> {
  if (request.route.bodyFirst) return readBodyFirst(request)
  const query = readQuery(request)
  if (!query.ok) return query
  const uid = request.route.uidBeforeBody ? checkUid(request) : ok(undefined)
  if (!uid.ok) return uid
  const withQuery = (body: Result<unknown>) => (body.ok ? ok({ query: query.value, body: body.value }) : body)
  const body = readBody(request)
  return body instanceof Promise ? body.then(withQuery) : withQuery(body)
}

async function readBodyFirst(request: Dispatched): Promise<Result<Input>> {
  const body = await readBody(request)
  if (!body.ok) return body
  const query = readQuery(request)
  return query.ok ? ok({ query: query.value, body: body.value }) : query
}

function readQuery({ route, exchange }: Dispatched): Result<unknown> {
  return route.query ? checkQuery(route.query, exchange.rawQuery) : ok({})
}

function readBody({ route, exchange, context }: Dispatched): Result<unknown> | Promise<Result<unknown>> {
  const spec: BodySpec | undefined = route.body
  if (!spec) return ok(undefined)
  const types = spec.kind === 'raw' ? spec.types : JSON_TYPES
  const mediaType = checkContentType(exchange.request.headers['content-type'], types)
  if (!mediaType.ok) return mediaType
  const limitBytes = context.config.http.payloadLimitBytes
  const place = new BodyPlace(context.bodyRoom, exchange.response)
  const source: BodySource = { request: exchange.request, mediaType: mediaType.value, limitBytes, place }
  if (spec.kind === 'raw') return ok(openBody(source))
  const smaller = { ...source, limitBytes: Math.min(limitBytes, spec.limitBytes) }
  return spec.kind === 'json' ? readShaped(smaller, spec.shape) : readDigest(smaller, context, spec)
}

async function readDigest(
  source: BodySource,
  context: ServerContext,
  spec: DigestedBody<DigestKind>,
): Promise<Result<unknown>> {
  const bytes = await readJsonBytes(source)
  if (!bytes.ok) return bytes
  const request = spec.request(context)
  return bytes.value.length <= SMALL_BYTES
    ? digestBody(request, bytes.value)
    : context.bodies.digest(request, bytes.value)
}

async function readShaped(source: BodySource, shape: Shape<unknown>): Promise<Result<unknown>> {
  const value = await readJson(source)
  return value.ok ? checkBody(shape, value.value) : value
}

function checkFeature({ context, route }: Dispatched): Result<true> {
  return route.feature ? context.features.require(route.feature.name, route.feature.doing) : ok(true)
}

function handle(request: Dispatched, call: Call): Outcome | Promise<Outcome> {
  const uid = checkUid(request)
  return uid.ok ? request.route.handle(call) : uid
}

function checkUid({ route, params: { index_uid: uid } }: Dispatched): Result<undefined> {
  const isLegal = uid === undefined || route.checksIndexUid === false || isIndexUid(uid)
  return isLegal ? ok(undefined) : fail('invalid_index_uid', uid)
}

/** What a handler sees of a request. A class, since an object with an accessor costs a microsecond to make. */
class CheckedCall implements Call {
  private controller: AbortController | undefined

  constructor(
    private readonly request: Dispatched,
    readonly auth: Access,
    private readonly input: Input,
  ) {}

  get params() {
    return this.request.params
  }

  get query() {
    return this.input.query
  }

  get body() {
    return this.input.body
  }

  get headers() {
    return this.request.exchange.request.headers
  }

  get rawQuery() {
    return this.request.exchange.rawQuery
  }

  get context() {
    return this.request.context
  }

  get asker() {
    return new Client(this.request.exchange.response)
  }

  /** Most handlers never ask, so the controller is made on demand. */
  get signal() {
    this.controller ??= abortWhenGone(this.request.exchange.response)
    return this.controller.signal
  }
}

/** The client who waits for a response, for as long as it was not answered. */
class Client implements Asker {
  constructor(private readonly response: ServerResponse) {}

  get isGone() {
    return this.response.destroyed
  }

  onGone(listener: () => void) {
    this.response.on('close', listener)
  }

  offGone(listener: () => void) {
    this.response.off('close', listener)
  }
}

function abortWhenGone(response: ServerResponse): AbortController {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once('close', () => response.writableFinished || controller.abort())
  return controller
}
