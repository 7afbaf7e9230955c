/** Slots for requests that nobody waits for any more; so many more than run at a time that two hardly ever share one. */
const SLOTS = 1024

/** Where the thread counts its signs of life. */
const PULSE = 0
const FIRST_SLOT = 1

/**
 * What the server thread and a search thread tell each other while the search thread is busy and reads no messages. Each
 * side makes one on the same memory. Numbers of requests are below 2^31.
 */
export class ThreadSignals {
  private readonly cells: Int32Array

  constructor(readonly memory = new SharedArrayBuffer(4 * (FIRST_SLOT + SLOTS))) {
    this.cells = new Int32Array(memory)
  }

  /** Nobody waits for the answer to this request any more. */
  abandon(id: number): void {
    Atomics.store(this.cells, slotOf(id), id)
  }

  isAbandoned(id: number): boolean {
    return Atomics.load(this.cells, slotOf(id)) === id
  }

  /** The search thread is at work, and gets on. */
  beat(): void {
    // Nobody else writes here.
    this.cells[PULSE] = this.cells[PULSE]! + 1
  }

  /** Changes as long as the search thread gets on. */
  get pulse(): number {
    return Atomics.load(this.cells, PULSE)
  }
}

const slotOf = (id: number): number => FIRST_SLOT + (id % SLOTS)
