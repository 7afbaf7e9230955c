import type { OptionName } from './options.js'

/** The places that values come from, strongest first (spec 1 §6.1). */
export type Source = 'command line' | 'environment' | 'file'

/** An option that somebody set. */
export interface SetOption {
  readonly value: unknown
  readonly source: Source
  /** What it is called there: `--db-path`, `FINDLING_DB_PATH`, `db_path`. */
  readonly label: string
}

export type SetOptions = ReadonlyMap<OptionName, SetOption>
