import type { Schema, SchemaNames } from '../shape/index.js'

const PREFIX = '#/components/schemas/'

/** The named schemas of one document. */
export class NamedSchemas implements SchemaNames {
  private readonly byName = new Map<string, Schema>()

  refer(name: string, make: () => Schema): Schema {
    if (!this.byName.has(name)) {
      // Something to find while it is made, for schemas that stand in themselves.
      this.byName.set(name, {})
      this.byName.set(name, make())
    }
    return { $ref: PREFIX + name }
  }

  /** The schema behind a reference. */
  referred($ref: string): Schema | undefined {
    return this.byName.get($ref.slice(PREFIX.length))
  }

  /** In the order of their names. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...this.byName].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}
