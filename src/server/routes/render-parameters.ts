import { type ErrorCode, fail, ok, type Result } from '../../errors/index.js'
import type { IndexFolder } from '../../folder/index.js'
import type { JsonValue } from '../../json/index.js'
import type { Call } from '../http/route.js'

/** What rendering needs of a call. */
export type RenderCall = Pick<Call, 'context' | 'auth'>

/** Whether a kind of template or input needs a parameter or has no use for it. */
export interface ParameterRule<Name extends string> {
  readonly name: Name
  readonly is: 'needed' | 'refused'
}

export const needs = <Name extends string>(...names: Name[]): ParameterRule<Name>[] =>
  names.map((name) => ({ name, is: 'needed' }))

export const refuses = <Name extends string>(...names: Name[]): ParameterRule<Name>[] =>
  names.map((name) => ({ name, is: 'refused' }))

interface Described<Name extends string> {
  /** `template` or `input`. */
  readonly where: string
  readonly code: Extract<ErrorCode, 'invalid_render_template' | 'invalid_render_input'>
  readonly kind: string
  readonly given: { readonly [N in Name]?: JsonValue }
}

/** Null counts as absent. */
export function checkParameters<Name extends string>(
  { where, code, kind, given }: Described<Name>,
  rules: readonly ParameterRule<Name>[],
): Result<undefined> {
  for (const { name, is } of rules) {
    const isGiven = given[name] !== undefined && given[name] !== null
    if (is === 'needed' && !isGiven)
      return fail(code, `\`.${where}.${name}\` is missing, which the kind \`${kind}\` needs.`)
    if (is === 'refused' && isGiven) return fail(code, `\`.${where}.${name}\` does not go with the kind \`${kind}\`.`)
  }
  return ok(undefined)
}

/** An index named in the body: the key must open it, and it must exist. */
export function openNamed({ context, auth }: RenderCall, uid: string, where: string): Result<IndexFolder> {
  if (!auth.isIndexAllowed(uid)) return { ok: false, failure: auth.refusal(uid, where) }
  const folder = context.indexes.open(uid)
  return folder === undefined ? fail('index_not_found', uid) : ok(folder)
}
