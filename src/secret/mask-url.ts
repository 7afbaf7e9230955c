import { isSecretName } from './secret-name.js'

/** Passwords are short, so nothing of them is shown. */
const HIDDEN = 'XXX...'

/**
 * A URL without the password in it, and without the values of parameters whose names say that they are secret. Where
 * there is a user alone, it is taken for the secret. A URL without secrets stays as it was written.
 */
export function maskUrl(text: string): string {
  // What is no URL cannot be called, but may be a mistyped one.
  if (!URL.canParse(text)) return text.replace(/\/\/[^/?#@]*@/, `//${HIDDEN}@`)
  const url = new URL(text)
  const query = url.search.slice(1)
  const shownQuery = maskQuery(query)
  if (url.username === '' && url.password === '' && query === shownQuery) return text
  if (url.password !== '') url.password = HIDDEN
  else if (url.username !== '') url.username = HIDDEN
  url.search = shownQuery
  return url.href
}

/** The same for what follows the `?` of a URL. */
export function maskQuery(query: string): string {
  return query.includes('=') ? query.split('&').map(maskParameter).join('&') : query
}

function maskParameter(parameter: string): string {
  const end = parameter.indexOf('=')
  const isSecret = end !== -1 && end < parameter.length - 1 && isSecretName(parameter.slice(0, end))
  return isSecret ? parameter.slice(0, end + 1) + HIDDEN : parameter
}
