/** What is read of `GET /openapi.json` (OpenAPI 3.1). Everything may be missing: other servers describe themselves too. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly 'x-error-codes'?: readonly string[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly 'x-error-codes'?: readonly string[]
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface Answer {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
  readonly 'x-error-codes'?: readonly string[]
}

interface Described {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses?: Readonly<Record<string, Answer>>
}

export interface Description {
  readonly tags?: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Answer>>
  }
}

/** One thing that can be asked for. */
export interface Operation extends Described {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly group: string
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export function operationsOf({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const described = methods[method]
      if (described === undefined) return []
      const id = described.operationId ?? `${method} ${path}`
      return [{ ...described, id, method: method.toUpperCase(), path, group: described.tags?.[0] ?? path }]
    }),
  )
}

/** In the order in which the description names its groups. */
export function grouped(
  operations: readonly Operation[],
  { tags = [] }: Description,
): [group: string, operations: Operation[]][] {
  const groups = new Map<string, Operation[]>(tags.map(({ name }) => [name, []]))
  for (const operation of operations) {
    const list = groups.get(operation.group) ?? []
    list.push(operation)
    groups.set(operation.group, list)
  }
  return [...groups].filter(([, list]) => list.length > 0)
}

/** All words that were typed are in it. */
export function isLike({ method, path, summary = '', group }: Operation, typed: string): boolean {
  const text = `${method} ${path} ${summary} ${group}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** What a reference stands for; itself if it is none. */
export function resolved(schema: Schema, description: Description): Schema {
  const found = schema.$ref === undefined ? undefined : description.components?.schemas?.[nameOf(schema.$ref)]
  return found ?? schema
}

export function resolvedAnswer(answer: Answer, description: Description): Answer {
  const found = answer.$ref === undefined ? undefined : description.components?.responses?.[nameOf(answer.$ref)]
  return found ?? answer
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

/** Its type in a few words, such as `array of Task`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' | ')
  const types = [schema.type ?? 'any'].flat()
  return types.map((type) => (type === 'array' && schema.items ? `array of ${typeOf(schema.items)}` : type)).join(' | ')
}

/** Schemas inside of it that are worth a look: the parts of objects, lists and choices. */
export function isDeep(schema: Schema, description: Description): boolean {
  const own = resolved(schema, description)
  if (own.items !== undefined) return isDeep(own.items, description)
  const choices = own.anyOf ?? own.oneOf ?? own.allOf ?? []
  return (
    own.properties !== undefined ||
    typeof own.additionalProperties === 'object' ||
    choices.some((choice) => isDeep(choice, description))
  )
}
