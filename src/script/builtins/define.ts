import type { Float } from '../../json/index.js'
import type { Meter } from '../meter.js'
import {
  type Char,
  type FunctionValue,
  type Int,
  KIND,
  kindOf,
  type Range,
  type ScriptMap,
  type Value,
} from '../value.js'

/** What built-in functions may use of the machine that runs them. */
export interface Host {
  readonly meter: Meter
  /** To be called with values that stay in one container and also enter another. */
  share(value: Value): void
  /** The value itself when it may be changed in place, else a copy. */
  own(value: Value): Value
  /** Calls back into the script. Takes as many of `args` as the function has parameters. */
  invoke(callback: Callback): Invocation
  hasFunction(name: string, parameterCount: number): boolean
}

export interface Callback {
  readonly callee: FunctionValue
  readonly args: readonly Value[]
  /** How many of `args` a function named by the script is expected to take, if it exists with several counts. */
  readonly usual: number
  readonly self: Value
}

export interface Invocation {
  readonly result: Value
  /** `this` as the callee left it. */
  readonly self: Value
}

/** One built-in for given kinds of arguments. */
export interface Builtin {
  readonly name: string
  readonly kinds: readonly number[]
  readonly run: (args: Value[], host: Host) => Value
  /** Changes its first argument, by changing it or putting another value in its place. */
  readonly isInPlace: boolean
  /** May be written without parentheses. */
  readonly isProperty: boolean
}

/** What a parameter accepts: bits for the look-up, and the type of the argument. */
export interface Parameter<T extends Value> {
  readonly bits: number
  readonly type?: T
}

function parameter<T extends Value>(...bits: number[]): Parameter<T> {
  return { bits: bits.reduce((all, bit) => all | bit, 0) }
}

export const anything = parameter<Value>(...Object.values(KIND))
/** Anything but a function. */
export const data = parameter<Exclude<Value, FunctionValue>>(
  ...Object.values(KIND).filter((kind) => kind !== KIND.function),
)
export const int = parameter<Int>(KIND.int)
export const float = parameter<Float>(KIND.float)
export const number = parameter<Int | Float>(KIND.int, KIND.float)
export const string = parameter<string>(KIND.string)
export const char = parameter<Char>(KIND.char)
export const text = parameter<string | Char>(KIND.string, KIND.char)
export const array = parameter<Value[]>(KIND.array)
export const map = parameter<ScriptMap>(KIND.map)
export const callee = parameter<FunctionValue>(KIND.function)
export const range = parameter<Range>(KIND.range)

type Arguments<P extends readonly Parameter<Value>[]> = {
  -readonly [I in keyof P]: P[I] extends Parameter<infer T> ? T : never
}

type Run<P extends readonly Parameter<Value>[]> = (args: Arguments<P>, host: Host) => Value

/** A function that leaves its arguments as they are. */
export function pure<const P extends readonly Parameter<Value>[]>(name: string, parameters: P, run: Run<P>): Builtin {
  return { ...define(name, parameters, run), isInPlace: false, isProperty: false }
}

/** A pure function of one value that may be written like a property. */
export function property<T extends Value>(
  name: string,
  of: Parameter<T>,
  get: (value: T, host: Host) => Value,
): Builtin {
  return { ...pure(name, [of], ([value], host) => get(value as T, host)), isProperty: true }
}

/** A function that changes its first argument, or assigns another value to `args[0]`. */
export function inPlace<const P extends readonly Parameter<Value>[]>(
  name: string,
  parameters: P,
  run: Run<P>,
): Builtin {
  return { ...define(name, parameters, run), isInPlace: true, isProperty: false }
}

function define<P extends readonly Parameter<Value>[]>(name: string, parameters: P, run: Run<P>) {
  // The look-up has compared the kinds of the arguments with the parameters, so they have the types of `run`.
  return { name, kinds: parameters.map((each) => each.bits), run: run as unknown as Builtin['run'] }
}

/** Whether a built-in takes these arguments. */
export function accepts(builtin: Builtin, args: readonly Value[]): boolean {
  if (builtin.kinds.length !== args.length) return false
  return builtin.kinds.every((bits, i) => (bits & kindOf(args[i]!)) !== 0)
}
