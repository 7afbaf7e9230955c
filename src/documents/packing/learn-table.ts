import type { SymbolTable } from './symbol-table.js'
import { trainTable } from './train-table.js'

/** With fewer bytes of values an index has no table: there is little to learn from and little to gain. */
const FIRST_BYTES = 64 << 10
/** How much an index grows from one table to the next at least. */
const GROWTH = 4

/** A first table saves at least a tenth of the sample, another at least a fiftieth of what the last left of it. */
const FIRST_GAIN = 0.9
const NEXT_GAIN = 0.98

/** Whether an index that grows from so many bytes of values to so many passes a size at which a table is learnt. */
export function isTimeToLearn(beforeBytes: number, afterBytes: number): boolean {
  return level(afterBytes) > level(beforeBytes)
}

/** 0 below the first size, 1 from there on, 2 from the next. */
const level = (bytes: number): number =>
  bytes < FIRST_BYTES ? 0 : 1 + Math.floor(Math.log(bytes / FIRST_BYTES) / Math.log(GROWTH))

/** A table made for the sample, if there is a good one. `current` is the one to beat. */
export function betterTable(current: SymbolTable | undefined, sample: readonly Uint8Array[]): SymbolTable | undefined {
  const table = trainTable(sample)
  const most = current === undefined ? plainSize(sample) * FIRST_GAIN : packedSize(current, sample) * NEXT_GAIN
  return packedSize(table, sample) < most ? table : undefined
}

const plainSize = (sample: readonly Uint8Array[]): number => sample.reduce((total, { length }) => total + length, 0)

function packedSize(table: SymbolTable, sample: readonly Uint8Array[]): number {
  let total = 0
  for (const value of sample) total += Math.min(value.length, table.pack(value, new Uint8Array(value.length * 2)))
  return total
}
