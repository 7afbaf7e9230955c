import { Float } from '../../json/index.js'
import { toInt } from '../integer.js'
import { isInt, Range, type Value } from '../value.js'
import type { Expression } from './ast.js'

/** The value of an expression made of literals only. */
export function constantOf(expression: Expression): Value | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'unary':
      return expression.operator === '-' ? negativeOf(constantOf(expression.operand)) : undefined
    case 'array':
      return allOf(expression.items.map(constantOf))
    case 'map':
      return constantMap(expression)
    case 'operators':
      return constantRange(expression)
    default:
      return undefined
  }
}

function negativeOf(value: Value | undefined): Value | undefined {
  if (value instanceof Float) return new Float(-value.value)
  return value !== undefined && isInt(value) ? toInt(-BigInt(value)) : undefined
}

function allOf(values: (Value | undefined)[]): Value[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined
}

function constantMap(expression: Extract<Expression, { kind: 'map' }>): Value | undefined {
  const values = allOf(expression.entries.map((entry) => constantOf(entry.value)))
  return values && new Map(expression.entries.map((entry, i) => [entry.key, values[i]!]))
}

function constantRange(expression: Extract<Expression, { kind: 'operators' }>): Range | undefined {
  const [first] = expression.rest
  if (first === undefined || expression.rest.length > 1) return undefined
  const from = constantOf(expression.first)
  const to = constantOf(first.operand)
  const isRange = first.operator === '..' || first.operator === '..='
  if (!isRange || from === undefined || to === undefined || !isInt(from) || !isInt(to)) return undefined
  return new Range(from, to, first.operator === '..=')
}
