import { isObject, type JsonValue } from '../json/index.js'
import { typoDistance } from '../text/index.js'
import type { Reading } from './exchange.js'
import { excerpt } from './failures.js'

const REPEAT = '{{..}}'

/** The placeholder of `request`, depending on whether the embedder uses fragments. */
export type InputPlaceholder = '{{text}}' | '{{fragment}}'

/** Where a placeholder stands: at `path`, or at `inside` each element of the array at `path`. */
interface Place {
  readonly path: Path
  readonly inside: Path | undefined
}

type Path = readonly (string | number)[]

/** A `request` with everything in place: settings were checked when they were stored (spec 7 §1.6). */
export interface RequestTemplate {
  readonly takesMany: boolean
  /** One input unless the template takes many. */
  fill(inputs: readonly JsonValue[]): JsonValue
}

export function requestTemplate(template: JsonValue, placeholder: InputPlaceholder): RequestTemplate | undefined {
  const place = findPlace(template, placeholder)
  if (place === undefined) return undefined
  const { path, inside } = place
  if (inside === undefined) return { takesMany: false, fill: ([input = null]) => replaced(template, path, () => input) }
  const repeat = (inputs: readonly JsonValue[]) => (array: JsonValue) =>
    inputs.map((input) => replaced((array as JsonValue[])[0]!, inside, () => input))
  return { takesMany: true, fill: (inputs) => replaced(template, path, repeat(inputs)) }
}

/** Copies what lies on the path, shares the rest. */
function replaced(value: JsonValue, path: Path, make: (old: JsonValue) => JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return make(value)
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? replaced(item, rest, make) : item))
  const members = value as ReadonlyMap<string, JsonValue>
  return new Map([...members].map(([name, item]) => [name, name === step ? replaced(item, rest, make) : item]))
}

export interface ResponseTemplate {
  readonly givesMany: boolean
  /** The vectors in a parsed answer, in order. */
  read(answer: unknown): Reading<Float32Array[]>
}

export function responseTemplate(template: JsonValue): ResponseTemplate | undefined {
  const place = findPlace(template, '{{embedding}}')
  if (place === undefined) return undefined
  const { path, inside } = place
  return {
    givesMany: inside !== undefined,
    read: (answer) =>
      catchMisfit(() => (inside ? readMany(answer, path, inside) : [readOne(answer, path, 'response')])),
  }
}

function findPlace(value: JsonValue, placeholder: string): Place | undefined {
  if (value === placeholder) return { path: [], inside: undefined }
  if (Array.isArray(value) && value[1] === REPEAT) {
    const inside = findPlace(value[0]!, placeholder)
    return inside && { path: [], inside: inside.path }
  }
  const members = Array.isArray(value) ? value.entries() : isObject(value) ? value : []
  for (const [step, member] of members) {
    const place = findPlace(member, placeholder)
    if (place) return { ...place, path: [step, ...place.path] }
  }
  return undefined
}

/** An answer that is not what the template describes. */
class Misfit extends Error {}

function catchMisfit<T>(read: () => T): Reading<T> {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    if (error instanceof Misfit) return { ok: false, reason: `the answer does not fit the template: ${error.message}` }
    throw error
  }
}

function readMany(answer: unknown, path: Path, inside: Path): Float32Array[] {
  const place = placeOf('response', path)
  const list = descend(answer, path, 'response')
  if (!Array.isArray(list)) throw misfit(place, 'an array', list)
  return list.map((item, i) => readOne(item, inside, `${place}[${i}]`))
}

function readOne(value: unknown, path: Path, start: string): Float32Array {
  return toVector(descend(value, path, start), placeOf(start, path))
}

function descend(value: unknown, path: Path, start: string): unknown {
  let here = value
  for (const [depth, step] of path.entries()) here = member(here, step, placeOf(start, path.slice(0, depth)))
  return here
}

function member(value: unknown, step: string | number, place: string): unknown {
  if (typeof step === 'number') {
    if (Array.isArray(value) && step < value.length) return value[step]
    throw misfit(place, `an array with more than ${step} elements`, value)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw misfit(place, `an object with the member \`${step}\``, value)
  }
  if (Object.hasOwn(value, step)) return (value as Readonly<Record<string, unknown>>)[step]
  const near = Object.keys(value).find((name) => typoDistance(step, name, 2) <= 2)
  throw misfit(place, `the member \`${step}\`${near === undefined ? '' : ` (\`${near}\` is near to it)`}`, value)
}

function toVector(value: unknown, place: string): Float32Array {
  if (!Array.isArray(value) || value.length === 0) throw misfit(place, 'an array of numbers', value)
  const vector = new Float32Array(value.length)
  for (let i = 0; i < value.length; i++) {
    const component: unknown = value[i]
    if (typeof component !== 'number') throw misfit(`${place}[${i}]`, 'a number', component)
    vector[i] = component
    if (!Number.isFinite(vector[i]))
      throw misfit(`${place}[${i}]`, 'a number within the range of 32-bit floats', component)
  }
  return vector
}

function misfit(place: string, expected: string, found: unknown): Misfit {
  return new Misfit(`\`${place}\`: ${expected} was expected, ${describe(found)} was found`)
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (typeof value !== 'object' || value === null) return excerpt(JSON.stringify(value) ?? 'nothing', 100)
  const names = Object.keys(value)
  const shown = names.slice(0, 5).map((name) => `\`${excerpt(name, 50)}\``)
  return names.length === 0 ? 'an empty object' : `an object with ${shown.join(', ')}${names.length > 5 ? ', …' : ''}`
}

function placeOf(start: string, path: Path): string {
  return path.reduce<string>((place, step) => place + (typeof step === 'number' ? `[${step}]` : `.${step}`), start)
}
