import type { Kind } from './kinds.js'

/** The headings of `--help` and of docs/configuration.md, in their order. */
export const GROUPS = [
  'Server',
  'Logs',
  'Indexing and tasks',
  'Search',
  'Webhooks and outgoing requests',
  'Dumps, snapshots, upgrades',
  'Snapshots in object storage',
  'TLS',
  'Cluster',
  'Experimental features',
] as const

export interface OptionFacts<Default> {
  readonly group: (typeof GROUPS)[number]
  /** One sentence without a final stop, shown by `--help` and in docs/configuration.md. */
  readonly help: string
  readonly default: Default
  /** How people write the default, where the value itself does not say it. */
  readonly defaultText?: string
  /** The name after the prefix, where it is not the name of the option in upper case. */
  readonly environmentName?: string
  /** Accepted in the file but without effect there, or not accepted at all (spec 1 §6.1). */
  readonly inFile?: 'ignored' | 'refused'
  /** The value is never repeated, not even when it is wrong. */
  readonly isSecret?: boolean
  /** An option without which this one makes no sense. */
  readonly requires?: string
  /** An option that cannot be given together with this one. */
  readonly conflictsWith?: string
}

/** The values of all rows of a table. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { kind: Kind<infer Value>; default: infer Default }
    ? Value | Default
    : never
}

export function option<Value, const Default extends Value | null>(
  kind: Kind<Value>,
  facts: OptionFacts<Default>,
): OptionFacts<Default> & { readonly kind: Kind<Value> } {
  return { ...facts, kind }
}

/**
 * What names of variables begin with, the strongest first. The second one is the prefix of the interface, so that
 * existing set-ups keep working.
 */
export const PREFIXES = ['FINDLING_', 'MEILI_'] as const

/** `--db-path` is `DB_PATH` after the prefix, unless the table says otherwise. */
export function environmentNameOf(name: string, { environmentName }: { environmentName?: string }): string {
  return environmentName ?? name.toUpperCase().replaceAll('-', '_')
}

/** `--db-path` is `db_path` in the file. */
export function fileKeyOf(name: string): string {
  return name.replaceAll('-', '_')
}

/** All names of an option in the file, the strongest first: its key, then those of its variables. */
export function fileKeysOf(name: string, row: { environmentName?: string }): string[] {
  return [fileKeyOf(name), ...PREFIXES.map((prefix) => prefix + environmentNameOf(name, row))]
}

export function defaultTextOf({ default: value, defaultText }: OptionFacts<unknown>): string {
  if (defaultText !== undefined) return defaultText
  if (value === null) return 'none'
  return value === false ? 'off' : String(value)
}
