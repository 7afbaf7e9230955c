import { isObject } from '../json/index.js'
import type { Chain, Comparison, Condition, Expression, Test } from './node.js'
import { TemplateProblem } from './problem.js'
import type { Scope } from './scope.js'
import {
  areEqual,
  compareValues,
  isBlank,
  isEmpty,
  isInteger,
  isTruthy,
  memberOf,
  textOf,
  type Value,
} from './value.js'

/** How many names a message lists. */
const LISTED_NAMES = 20

/** The value of an expression; a name or part that does not exist is an error. */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'empty':
    case 'blank':
      return null
    case 'range':
      return evaluateRange(expression, scope)
    case 'path': {
      const found = lookUp(expression.steps, scope)
      if (found.ok) return found.value
      throw missing(expression.text, found)
    }
  }
}

type LookupResult =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly name: string; readonly available: readonly string[] }

function lookUp(steps: readonly Expression[], scope: Scope): LookupResult {
  let value: Value | undefined
  for (let i = 0; i < steps.length; i++) {
    const key = evaluate(steps[i]!, scope)
    const next: Value | undefined = i === 0 ? scope.find(key as string) : memberOf(value!, key, scope.meter)
    if (next === undefined) return notFound(i === 0 ? undefined : value, key, scope)
    value = next
  }
  return { ok: true, value: value! }
}

function notFound(inside: Value | undefined, key: Value, scope: Scope): LookupResult {
  const available = inside === undefined ? scope.names() : isObject(inside) ? [...inside.keys()] : []
  return { ok: false, name: textOf(key, scope.meter), available }
}

function missing(path: string, found: Extract<LookupResult, { ok: false }>): TemplateProblem {
  const { name, available } = found
  const more = available.length > LISTED_NAMES ? ` and ${available.length - LISTED_NAMES} more` : ''
  const names = available
    .slice(0, LISTED_NAMES)
    .map((known) => JSON.stringify(known))
    .join(', ')
  const known = available.length === 0 ? '' : `; there are ${names}${more}`
  return new TemplateProblem(`\`${path}\`: there is no ${JSON.stringify(name)}`, { hint: known })
}

function evaluateRange(range: Extract<Expression, { kind: 'range' }>, scope: Scope): Value {
  const from = rangeEnd(evaluate(range.from, scope))
  const to = rangeEnd(evaluate(range.to, scope))
  const length = Math.max(0, to - from + 1)
  scope.meter.spend(length)
  return Array.from({ length }, (_, i) => from + i)
}

function rangeEnd(value: Value): number {
  const end = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof end !== 'number') throw new TemplateProblem('whole numbers were expected as the ends of a range')
  return end
}

export function evaluateChain({ start, filters }: Chain, scope: Scope): Value {
  let value = evaluate(start, scope)
  for (const { name, filter, values } of filters) {
    scope.meter.step()
    const parameters = values.map((parameter) => evaluate(parameter, scope))
    try {
      value = filter.run(value, parameters, scope)
    } catch (error) {
      throw error instanceof TemplateProblem ? new TemplateProblem(`filter \`${name}\`: ${error.message}`) : error
    }
  }
  return value
}

export function holds(condition: Condition, scope: Scope): boolean {
  return condition.some((tests) => tests.every((test) => testHolds(test, scope)))
}

function testHolds(test: Test, scope: Scope): boolean {
  scope.meter.step()
  if (test.kind === 'compare') return compares(test, scope)
  if (test.value.kind !== 'path') return isTruthy(evaluate(test.value, scope))
  // The one place where what is missing is no error.
  const found = lookUp(test.value.steps, scope)
  return found.ok && isTruthy(found.value)
}

function compares({ left, comparison, right }: Extract<Test, { kind: 'compare' }>, scope: Scope): boolean {
  const state = left.kind === 'empty' || left.kind === 'blank' ? left.kind : stateOf(right)
  if (state === undefined) return compareTwo(evaluate(left, scope), comparison, evaluate(right, scope), scope)
  const value = evaluate(stateOf(left) ? right : left, scope)
  const isState = state === 'empty' ? isEmpty(value) : isBlank(value)
  if (comparison === '==') return isState
  return comparison === '!=' || comparison === '<>' ? !isState : false
}

function stateOf(expression: Expression): 'empty' | 'blank' | undefined {
  return expression.kind === 'empty' || expression.kind === 'blank' ? expression.kind : undefined
}

function compareTwo(left: Value, comparison: Comparison, right: Value, { meter }: Scope): boolean {
  switch (comparison) {
    case '==':
      return areEqual(left, right, meter)
    case '!=':
    case '<>':
      return !areEqual(left, right, meter)
    case 'contains':
      return contains(left, right, { meter })
    default:
      return isInOrder(compareValues(left, right, meter), comparison)
  }
}

function isInOrder(order: number | undefined, comparison: '<' | '>' | '<=' | '>='): boolean {
  if (order === undefined) return false
  if (order === 0) return comparison === '<=' || comparison === '>='
  return order < 0 ? comparison.startsWith('<') : comparison.startsWith('>')
}

/** A part of a text, an element of an array or a member of an object. */
function contains(whole: Value, part: Value, { meter }: Pick<Scope, 'meter'>): boolean {
  if (whole === null) throw new TemplateProblem('`contains` cannot be asked of nil')
  if (Array.isArray(whole)) {
    meter.spend(whole.length)
    return whole.some((item) => areEqual(item, part, meter))
  }
  const text = textOf(part, meter)
  return isObject(whole) ? whole.has(text) : textOf(whole, meter).includes(text)
}

/** A count given to a loop. */
export function evaluateCount(expression: Expression | undefined, scope: Scope): number | undefined {
  if (expression === undefined) return undefined
  const value = evaluate(expression, scope)
  const count = typeof value === 'string' && /^\+?\d{1,15}$/.test(value) ? Number(value) : value
  if (!isInteger(count) || count < 0) throw new TemplateProblem('a whole number of 0 or more was expected')
  return Number(count)
}
