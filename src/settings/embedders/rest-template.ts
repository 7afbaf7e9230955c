import { fail, ok, type Result } from '../../errors/index.js'
import { isObject, type JsonValue } from '../../json/index.js'

const REPEAT = '{{..}}'

/** What stands for the input in a request, and for the vector in a response. */
export type Placeholder = '{{text}}' | '{{fragment}}' | '{{embedding}}'

interface RestTemplate {
  /** `request` or `response`, for messages. */
  readonly root: string
  readonly value: JsonValue
  /** The placeholders of which exactly one has to be there. */
  readonly accepted: readonly Placeholder[]
}

/** Whether the template takes many inputs at once (`[X, "{{..}}"]`) or a single one. */
type TemplateForm = 'single' | 'repeated'

interface Scan {
  readonly template: RestTemplate
  /** Path of the placeholder outside a repeated element. */
  placeholder?: string
  /** Path of the repeated element's placeholder. */
  repeatedPlaceholder?: string
  /** Path of the array that repeats. */
  repetition?: string
}

/**
 * Checks a template of a rest embedder (spec 4 §4.6): exactly one placeholder, and `{{..}}` only as the second element
 * of one array, whose first element then holds the placeholder.
 */
export function checkRestTemplate(template: RestTemplate): Result<TemplateForm> {
  const scan: Scan = { template }
  const problem = visit(scan, template.value, template.root)
  if (problem) return refuse(problem)
  if (scan.repetition === undefined && scan.placeholder === undefined) {
    return refuse(`\`${template.root}\`: the placeholder ${names(template.accepted)} is missing`)
  }
  if (scan.placeholder !== undefined && scan.repeatedPlaceholder !== undefined) {
    return refuse(
      `\`${scan.placeholder}\`: there is a placeholder both here and in the repeated element, at \`${scan.repeatedPlaceholder}\``,
    )
  }
  return ok(scan.repetition === undefined ? 'single' : 'repeated')
}

/** Visits a value outside a repeated element. A text that comes back is what is wrong. */
function visit(scan: Scan, value: JsonValue, path: string): string | undefined {
  if (value === REPEAT) return `\`${path}\`: \`${REPEAT}\` can only be the second element of an array`
  if (isPlaceholder(scan, value)) return note(scan, 'placeholder', path)
  if (Array.isArray(value)) return visitArray(scan, value, path)
  if (!isObject(value)) return undefined
  for (const [name, member] of value) {
    const problem = visit(scan, member, `${path}.${name}`)
    if (problem) return problem
  }
  return undefined
}

function visitArray(scan: Scan, items: readonly JsonValue[], path: string): string | undefined {
  const misplaced = items.findIndex((item, index) => item === REPEAT && index !== 1)
  if (misplaced !== -1) {
    return `\`${path}[${misplaced}]\`: \`${REPEAT}\` was found at index ${misplaced} of the array; index 1 was expected`
  }
  if (items[1] === REPEAT) return visitRepetition(scan, items, path)
  for (const [index, item] of items.entries()) {
    const problem = visit(scan, item, `${path}[${index}]`)
    if (problem) return problem
  }
  return undefined
}

function visitRepetition(scan: Scan, items: readonly JsonValue[], path: string): string | undefined {
  if (scan.repetition !== undefined) {
    return `\`${path}[1]\`: \`${REPEAT}\` was found a second time, after \`${scan.repetition}[1]\``
  }
  scan.repetition = path
  const problem = visitRepeated(scan, items[0]!, `${path}[0]`)
  if (problem) return problem
  if (scan.repeatedPlaceholder === undefined) {
    return `\`${path}[0]\`: the placeholder ${names(scan.template.accepted)} is missing in the repeated element`
  }
  // Elements after the mark are dropped when inputs are put in, but may not hold marks of their own.
  for (const [index, item] of items.entries()) {
    const later = index < 2 ? undefined : visit(scan, item, `${path}[${index}]`)
    if (later) return later
  }
  return undefined
}

function visitRepeated(scan: Scan, value: JsonValue, path: string): string | undefined {
  if (value === REPEAT) return `\`${path}\`: \`${REPEAT}\` was found inside an element that is itself repeated`
  if (isPlaceholder(scan, value)) return note(scan, 'repeatedPlaceholder', path)
  const members = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item] as const)
    : isObject(value)
      ? [...value].map(([name, member]) => [`${path}.${name}`, member] as const)
      : []
  for (const [place, member] of members) {
    const problem = visitRepeated(scan, member, place)
    if (problem) return problem
  }
  return undefined
}

function isPlaceholder(scan: Scan, value: JsonValue): boolean {
  return (scan.template.accepted as readonly JsonValue[]).includes(value)
}

function note(scan: Scan, slot: 'placeholder' | 'repeatedPlaceholder', path: string): string | undefined {
  const first = scan[slot]
  if (first !== undefined) return `\`${path}\`: the placeholder was found a second time, after \`${first}\``
  scan[slot] = path
  return undefined
}

const names = (placeholders: readonly Placeholder[]): string => placeholders.map((name) => `\`${name}\``).join(' or ')

function refuse(problem: string): Result<never> {
  return fail('vector_embedding_error', `${problem}.`)
}
