import { Buffer } from 'node:buffer'

/**
 * The UTF-16 units of a text as an array. Hot loops read them several times faster than characters of a string, whose
 * representation has to be looked at again for each.
 */
export class TextUnits {
  readonly text: string
  readonly length: number
  /** Only the first `length` units are the text's. */
  readonly units: Uint16Array
  readonly #memory: Memory

  /** Give it back with `release` when done. */
  constructor(text: string) {
    this.text = text
    this.length = text.length
    this.#memory = borrow(text.length)
    this.units = this.#memory.units
    if (text.length < MIN_NATIVE_COPY) copyUnits(text, this.units)
    else this.#memory.bytes.write(text, 'utf16le')
  }

  /** Lets the next text use the memory. The units must not be read any more. */
  release(): void {
    if (this.units.length <= MAX_KEPT_UNITS) spare = this.#memory
  }
}

/** The same memory twice. */
interface Memory {
  readonly units: Uint16Array
  readonly bytes: Buffer
}

// Below, the call into native code costs more than the copy.
const MIN_NATIVE_COPY = 24

const MIN_UNITS = 4096

// Longer texts take fresh memory, so that one huge document does not hold on to it.
const MAX_KEPT_UNITS = 1 << 20

let spare: Memory | undefined

function borrow(length: number): Memory {
  const memory = spare
  // Whoever comes while it is lent gets memory of its own.
  spare = undefined
  return memory !== undefined && memory.units.length >= length ? memory : allocate(Math.max(length * 2, MIN_UNITS))
}

function allocate(length: number): Memory {
  const units = new Uint16Array(length)
  return { units, bytes: Buffer.from(units.buffer) }
}

function copyUnits(text: string, units: Uint16Array): void {
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
}
