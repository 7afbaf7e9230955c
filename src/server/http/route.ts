import type { IncomingHttpHeaders } from 'node:http'
import type { DigestKind, DigestRequest, Digests } from '../../bodies/index.js'
import type { Failure } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import type { Asker } from '../../searching/index.js'
import type { Parameters, QueryShape, Shape } from '../../shape/index.js'
import type { Access, Action, FeatureName } from '../../state/index.js'
import type { Answer } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import type { RawBody } from './body.js'
import type { AcceptedTypes } from './media-type.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The body of a route that reads it as JSON of a known shape. */
export interface JsonBody<T> {
  readonly kind: 'json'
  readonly shape: Shape<T>
  /** Where less is accepted than the server's limit. */
  readonly limitBytes: number
}

/** The body of a route that needs only what is made of it, which happens on another thread when it is large. */
export interface DigestedBody<K extends DigestKind> {
  readonly kind: 'digest'
  /** What it must look like, for the description. */
  readonly shape: Shape<unknown>
  readonly limitBytes: number
  readonly request: (context: ServerContext) => Extract<DigestRequest, { kind: K }>
}

/** The body of a route that reads the bytes itself, such as documents, or searches that another thread parses. */
export interface BytesBody {
  readonly kind: 'raw'
  readonly types: AcceptedTypes
  /** What it must look like in JSON, where whoever reads the bytes checks them by a shape. */
  readonly shape?: Shape<unknown>
}

export type BodySpec = JsonBody<unknown> | BytesBody | DigestedBody<DigestKind>

/** The server thread parses such a body: 2 MB take it some 20 ms, and are more than a name, a rule or a filter needs. */
const SMALL_JSON_BYTES = 2 * 1024 * 1024

/** For bodies with a filter, which may name hundreds of thousands of values: one text, so twice as fast to read. */
export const MAX_FILTER_BYTES = 8 * 1024 * 1024

export function jsonBody<T>(shape: Shape<T>, limitBytes = SMALL_JSON_BYTES): JsonBody<T> {
  return { kind: 'json', shape, limitBytes }
}

export function digestedBody<K extends DigestKind>(spec: {
  readonly shape: Shape<unknown>
  readonly request: DigestedBody<K>['request']
  readonly limitBytes?: number
}): DigestedBody<K> {
  return { kind: 'digest', limitBytes: Number.POSITIVE_INFINITY, ...spec }
}

export function rawBody(types: AcceptedTypes, shape?: Shape<unknown>): BytesBody {
  return { kind: 'raw', types, ...(shape && { shape }) }
}

type BodyOf<B> =
  B extends JsonBody<infer T>
    ? T
    : B extends DigestedBody<infer K>
      ? Digests[K]
      : B extends BytesBody
        ? RawBody
        : undefined
type QueryOf<Q> = Q extends QueryShape ? Parameters<Q> : Record<never, never>
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & ParamsOf<Rest>
  : unknown

/** A request that passed all checks of its route. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  /** Decoded path parameters, by the names between braces. */
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly auth: Access
  readonly headers: IncomingHttpHeaders
  /** The text after `?`, for routes that declare no parameters. */
  readonly rawQuery: string
  readonly context: ServerContext
  /** The client, for the queue of searches. */
  readonly asker: Asker
  /** Aborts when the client is gone before it was answered. */
  readonly signal: AbortSignal
}

/** A failed `Result` may be returned as it is. */
export type Outcome = Answer | { readonly ok: false; readonly failure: Failure }

/** An experimental feature that must be on. `doing` starts the sentence that says so: "Reading metrics". */
export interface FeatureGate {
  readonly name: FeatureName
  readonly doing: string
}

export interface RouteSpec<Path extends string, Q, B> {
  readonly method: Method
  /** `/indexes/{index_uid}/search` */
  readonly path: Path
  /** The permission needed, or all of several; null: nobody is asked for a key. */
  readonly action: Action | readonly Action[] | null
  /** Parameters; a route without this ignores the query string. */
  readonly query?: Q
  /** The same for a route whose handler hands `rawQuery` to somebody who checks it by this. */
  readonly rawQueryShape?: QueryShape
  /** A route without this does not read the body. */
  readonly body?: B
  /** The body is checked before the query string (spec 1 §2.2). */
  readonly bodyFirst?: boolean
  readonly feature?: FeatureGate
  /** A malformed `{index_uid}` is refused before the body and its type are looked at (spec 3 §2.1). */
  readonly uidBeforeBody?: boolean
  /** Whether a malformed `{index_uid}` is refused as such, before `handle`. True when the path has one. */
  readonly checksIndexUid?: boolean
  handle(call: Call<ParamsOf<Path>, QueryOf<Q>, BodyOf<B>>): Outcome | Promise<Outcome>
}

/** A route as the dispatcher sees it, whatever its shapes. */
export interface Route extends Omit<RouteSpec<string, QueryShape, BodySpec>, 'handle'> {
  handle(call: Call<unknown, unknown, unknown>): Outcome | Promise<Outcome>
}

/** Declares a route: `call.params`, `call.query` and `call.body` get their types from the path and the shapes. */
export function route<
  const Path extends string,
  Q extends QueryShape | undefined = undefined,
  B extends JsonBody<JsonValue> | JsonBody<unknown> | DigestedBody<DigestKind> | BytesBody | undefined = undefined,
>(spec: RouteSpec<Path, Q, B>): Route {
  // The dispatcher fills the call from these very shapes, which is what the types of the call say.
  return spec as unknown as Route
}
