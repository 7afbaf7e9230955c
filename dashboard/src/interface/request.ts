import { authorization } from '../server/client.js'
import { apiKey } from '../server/session.js'
import { type Description, type Operation, resolved, type Schema } from './description.js'

/** What a person wrote down to be sent. */
export interface Draft {
  /** By place and name, such as `query limit`. Empty ones are not sent. */
  readonly values: Readonly<Record<string, string>>
  readonly bodyType: string
  readonly body: string
}

export const keyOf = ({ in: place, name }: { in: string; name: string }): string => `${place} ${name}`

export function addressOf({ path, parameters = [] }: Operation, { values }: Draft): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[`path ${name}`] ?? ''))
  const query = new URLSearchParams()
  for (const parameter of parameters) {
    const value = values[keyOf(parameter)] ?? ''
    if (parameter.in === 'query' && value !== '') query.set(parameter.name, value)
  }
  const text = query.toString()
  return text === '' ? filled : `${filled}?${text}`
}

export const hasBody = ({ requestBody }: Operation): boolean => Object.keys(requestBody?.content ?? {}).length > 0

function headersOf(operation: Operation, { values, bodyType, body }: Draft): Record<string, string> {
  const given = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'header' && (values[keyOf(parameter)] ?? '') !== '',
  )
  return {
    ...(hasBody(operation) && body !== '' ? { 'Content-Type': bodyType } : {}),
    ...Object.fromEntries(given.map((parameter) => [parameter.name, values[keyOf(parameter)]!])),
  }
}

export function send(operation: Operation, draft: Draft, signal: AbortSignal): Promise<Response> {
  return fetch(addressOf(operation, draft), {
    method: operation.method,
    headers: { ...authorization(), ...headersOf(operation, draft) },
    ...(hasBody(operation) && draft.body !== '' ? { body: draft.body } : {}),
    signal,
  })
}

/** The key is not shown: what is copied is often pasted where others read it. */
export function curlOf(operation: Operation, draft: Draft): string {
  const lines = [
    `curl -X ${operation.method} ${quoted(location.origin + addressOf(operation, draft))}`,
    ...Object.entries(headersOf(operation, draft)).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(apiKey.value === null ? [] : [`  -H "Authorization: Bearer $KEY"`]),
    ...(hasBody(operation) && draft.body !== '' ? [`  --data-binary ${quoted(draft.body)}`] : []),
  ]
  return lines.join(' \\\n')
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Something to begin with: what is needed, with a value of its type. */
export function firstBody(schema: Schema, description: Description, depth = 0): unknown {
  const own = resolved(schema, description)
  if (own.default !== undefined) return own.default
  if (own.enum !== undefined) return own.enum[0]
  const choice = (own.anyOf ?? own.oneOf)?.[0]
  if (choice !== undefined) return firstBody(choice, description, depth)
  const type = [own.type ?? 'object'].flat()[0]
  if (type === 'array')
    return own.items === undefined || depth > 3 ? [] : [firstBody(own.items, description, depth + 1)]
  if (type === 'object')
    return Object.fromEntries(
      (own.required ?? []).map((name) => [name, firstBody(own.properties?.[name] ?? {}, description, depth + 1)]),
    )
  return { string: '', integer: 0, number: 0, boolean: false }[type as string] ?? null
}
