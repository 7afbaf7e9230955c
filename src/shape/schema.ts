/**
 * What a value may be, as a JSON schema (2020-12) with one keyword of our own: `x-error-codes` are the codes of the
 * refusals that a value can cause. A schema may be wider than the check it describes, never narrower.
 */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** Where schemas that have names are kept: those that stand in several places, or in themselves. */
export interface SchemaNames {
  /** A reference to the schema of this name, which is made unless it is there, or being made, already. */
  refer(name: string, make: () => Schema): Schema
}

/** Null as well. Keywords concern values of their own type only, so they can stay beside a second type. */
export function orNull(schema: Schema): Schema {
  const { type, enum: choices } = schema
  if (Object.keys(schema).length === 0) return schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}) }
}
