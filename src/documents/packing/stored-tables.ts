import { CorruptBytes } from '../../bytes/index.js'
import type { Database } from '../../store/index.js'
import { SymbolTable } from './symbol-table.js'
import { UnpackBuffer } from './unpack-buffer.js'

/** A table with the number by which documents name it. */
export interface NumberedTable {
  readonly number: number
  readonly table: SymbolTable
}

/** In the database `main`: `symbols`, then the number of the table (4 bytes). */
const PREFIX = 'symbols'

/**
 * The symbol tables of one index, numbered from 1. A table never changes and never goes as long as the index is there,
 * so what was read once stays true; numbers are not given again.
 */
export class StoredTables {
  readonly unpackBuffer = new UnpackBuffer()
  private readonly known = new Map<number, SymbolTable>()

  constructor(private readonly main: Database) {}

  /** Whether `of` answers without reading. Number 0 means no table. */
  knows(number: number): boolean {
    return number === 0 || this.known.has(number)
  }

  of(number: number): SymbolTable {
    const known = this.known.get(number)
    if (known !== undefined) return known
    const bytes = this.main.get(tableKey(number))
    if (bytes === undefined) throw new CorruptBytes(`there is no symbol table ${number}`)
    const table = SymbolTable.decode(bytes)
    this.known.set(number, table)
    return table
  }

  /** The one that new documents are packed with. */
  latest(): NumberedTable | undefined {
    const key = [...this.main.keys({ start: tableKey(0), end: tableKey(0xffff_ffff) })].at(-1)
    if (key === undefined) return undefined
    const number = key.readUInt32BE(PREFIX.length)
    return { number, table: this.of(number) }
  }

  /** Inside a transaction. */
  add(table: SymbolTable): NumberedTable {
    const number = (this.latest()?.number ?? 0) + 1
    this.main.put(tableKey(number), table.encode())
    this.known.set(number, table)
    return { number, table }
  }

  /** A transaction was given up: the numbers that it gave out mean nothing. */
  forget(): void {
    this.known.clear()
  }
}

function tableKey(number: number): Buffer {
  const key = Buffer.alloc(PREFIX.length + 4, PREFIX)
  key.writeUInt32BE(number, PREFIX.length)
  return key
}
