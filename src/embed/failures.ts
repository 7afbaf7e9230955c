import { type Failure, fail, failureSaying, type Result } from '../errors/index.js'

/** The failure of everything an embedder cannot do, whoever is to blame (spec 7 §7). `reason` has no final stop. */
export function refuse(reason: string): { readonly ok: false; readonly failure: Failure } {
  return fail('vector_embedding_error', `${reason}.`)
}

/** The failure of an inner step, with what it was needed for before it. */
export function because(purpose: string, { code, message }: Failure): Result<never> {
  return { ok: false, failure: failureSaying(code, `${purpose}: ${message}`) }
}

/** The request was given up by the caller, who knows better than to show this. */
export function givenUp(): Result<never> {
  return fail('internal', 'the embedding was given up')
}

/** At most `limit` characters of a text that others wrote. */
export function excerpt(text: string, limit: number): string {
  const characters = Array.from(text.slice(0, 2 * limit + 2))
  return characters.length <= limit ? text : `${characters.slice(0, limit).join('')}…`
}
