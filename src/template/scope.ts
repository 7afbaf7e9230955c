import type { JsonValue } from '../json/index.js'
import type { Meter } from './meter.js'
import type { Value } from './value.js'

/** The names that a template sees from the start. */
export type Variables = ReadonlyMap<string, JsonValue>

/** The names that exist inside a loop only. One frame serves all turns of a loop, which move it on. */
export interface Frame {
  readonly variable: string
  /** What the variable stands for in this turn. */
  item: Value
  /** `forloop` or `tablerowloop`. */
  readonly loopName: string
  /** Made when it is asked for, since few templates ask. */
  loop(): Value
}

/** Everything that changes while a template is rendered. */
export class Scope {
  private readonly frames: Frame[] = []
  private readonly assigned = new Map<string, Value>()
  private readonly counters = new Map<string, number>()
  /** Where each cycle stands. */
  readonly cycles = new Map<string, number>()
  /** What `ifchanged` wrote last. */
  lastWritten: string | undefined
  /** Set by `break` and `continue` until the loop they stand in has seen it. */
  interruption: 'break' | 'continue' | undefined

  constructor(
    private readonly variables: Variables,
    readonly meter: Meter,
    readonly nowMs: number,
  ) {}

  find(name: string): Value | undefined {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!
      if (frame.variable === name) return frame.item
      if (frame.loopName === name) return frame.loop()
    }
    return this.assigned.get(name) ?? this.findGlobal(name)
  }

  private findGlobal(name: string): Value | undefined {
    if (this.assigned.has(name)) return null
    return this.variables.has(name) ? this.variables.get(name) : this.counters.get(name)
  }

  /** For messages. */
  names(): string[] {
    return [...new Set([...this.variables.keys(), ...this.assigned.keys()])]
  }

  assign(name: string, value: Value): void {
    this.assigned.set(name, value)
  }

  enter(frame: Frame): void {
    this.frames.push(frame)
  }

  leave(): void {
    this.frames.pop()
  }

  /** The counter before it grows. */
  increment(name: string): number {
    const value = this.counters.get(name) ?? 0
    this.counters.set(name, value + 1)
    return value
  }

  /** The counter after it has shrunk. */
  decrement(name: string): number {
    const value = (this.counters.get(name) ?? 0) - 1
    this.counters.set(name, value)
    return value
  }
}
