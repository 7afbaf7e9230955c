import type { IncomingHttpHeaders } from 'node:http'
import { empty, type Headers, type WholeAnswer } from '../answers/answer.js'

export const VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

const METHODS = 'GET, POST, PUT, DELETE, HEAD, OPTIONS, CONNECT, PATCH, TRACE'
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** The answer to a preflight, or undefined when the request is none (spec 1 §2.6). */
export function answerPreflight(method: string | undefined, headers: IncomingHttpHeaders): WholeAnswer | undefined {
  const wanted = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wanted === undefined || !TOKEN.test(wanted)) return undefined
  const wantedHeaders = headers['access-control-request-headers']
  return empty(200, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Max-Age': '86400',
    ...(wantedHeaders !== undefined && { 'Access-Control-Allow-Headers': wantedHeaders }),
  })
}

/** Every answer to a page of another origin may be read by it. */
export function corsHeaders(headers: IncomingHttpHeaders): Headers {
  return headers.origin === undefined ? {} : { 'Access-Control-Allow-Origin': '*' }
}
