import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FuzzRequest } from './requests.js'
import type { Answer } from './run.js'

/** A JSON schema, as far as it is looked at here. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly [keyword: string]: unknown
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface DescribedAnswer extends Content {
  readonly 'x-error-codes'?: readonly string[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** One operation of the description. */
export interface Operation {
  readonly method: string
  /** With names between braces. */
  readonly path: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, DescribedAnswer>>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** What `GET /openapi.json` says, for making requests and for holding answers against it. */
export class Description {
  readonly operations: readonly Operation[]
  /** Method and path of those that never succeeded yet. */
  readonly untried: Set<string>
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, strictNumbers: false })
  private readonly validators = new Map<Schema, ValidateFunction>()

  constructor(private readonly document: Document) {
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    )
    this.untried = new Set(this.operations.map(nameOf))
  }

  resolve(schema: Schema): Schema {
    const name = schema.$ref?.slice('#/components/schemas/'.length)
    return name === undefined ? schema : this.document.components.schemas[name]!
  }

  /**
   * What the description did not foretell: a status, a code, a member of the answer, or that the server would take a
   * body that must not be. Undefined when all is as described.
   */
  contradiction(operation: Operation, request: FuzzRequest, answer: Answer): string | undefined {
    const { status, contentType, text } = answer
    const described = operation.responses[status]
    if (isUnrouted(answer)) return undefined
    if (status >= 400) return undescribedCode(described, answer)
    this.untried.delete(nameOf(operation))
    if (described === undefined) return `status ${status} is not described`
    const [type = ''] = contentType.split(';')
    const schema = described.content?.[type]?.schema
    if (described.content && schema === undefined) return `the content type ${contentType} is not described`
    const problem = type === 'application/json' && schema ? this.problemWith(schema, text) : undefined
    return problem === undefined ? this.forbidden(operation, request) : `the answer is not as described: ${problem}`
  }

  private forbidden({ requestBody }: Operation, { body, headers }: FuzzRequest): string | undefined {
    const schema = requestBody?.content?.[headers['content-type'] ?? '']?.schema
    if (schema === undefined || body === undefined || headers['content-type'] !== 'application/json') return undefined
    const problem = this.problemWith(schema, body.toString())
    return problem === undefined ? undefined : `it was accepted, though the description forbids it: ${problem}`
  }

  private problemWith(schema: Schema, text: string): string | undefined {
    const validate = this.validatorOf(schema)
    if (validate(JSON.parse(text))) return undefined
    return `${this.ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`
  }

  private validatorOf(schema: Schema): ValidateFunction {
    let validator = this.validators.get(schema)
    if (validator === undefined) {
      validator = this.ajv.compile({ ...schema, components: this.document.components })
      this.validators.set(schema, validator)
    }
    return validator
  }
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/**
 * What stands for a parameter may be empty, which makes another path, or the name of another route, which has other
 * methods.
 */
function isUnrouted({ status, text }: Answer): boolean {
  return (status === 404 || status === 405) && codeOf(text) === 'bad_request'
}

const codeOf = (text: string): string => (JSON.parse(text) as { code: string }).code

function undescribedCode(described: DescribedAnswer | undefined, { status, text }: Answer): string | undefined {
  if (status >= 500) return undefined
  const code = codeOf(text)
  if (described?.['x-error-codes']?.includes(code)) return undefined
  return `the code ${code} (${status}) is not described: ${text.slice(0, 300)}`
}
