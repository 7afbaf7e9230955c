import type { Attribute, Condition, Filter } from './model.js'

/** Shorter chains are not worth looking at. */
const MANY_OPERANDS = 16

type Equality = Extract<Condition, { kind: 'compare' | 'in' }>

/**
 * The same chain with one `IN` for all `a = x` of an attribute (in a chain of `OR`), or one `NOT IN` for all `a != x` (in
 * one of `AND`): programs write thousands of them, and many values are found together in far less time. Not for chains
 * with conditions that fail: then their order matters. `isKnown` says whether any document has an attribute; where none
 * has, `!=` and `NOT IN` are not the same (spec 6 §6.4).
 */
export function joinEqualities(
  kind: 'and' | 'or',
  operands: readonly Filter[],
  isKnown: (name: string) => boolean,
): readonly Filter[] {
  if (operands.length <= MANY_OPERANDS) return operands
  const groups = new Map<string, { attribute: Attribute; values: string[] }>()
  const rest: Filter[] = []
  for (const operand of operands) {
    const equality = isEquality(kind, operand) && isKnown(operand.attribute.name) ? operand : undefined
    if (equality === undefined) rest.push(operand)
    else addTo(groups, equality)
  }
  return [...Array.from(groups.values(), (group) => joined(kind, group)), ...rest]
}

function isEquality(kind: 'and' | 'or', operand: Filter): operand is Equality {
  if (kind === 'or' && operand.kind === 'in') return true
  return operand.kind === 'compare' && operand.operator === (kind === 'or' ? '=' : '!=')
}

function addTo(groups: Map<string, { attribute: Attribute; values: string[] }>, equality: Equality): void {
  const { attribute } = equality
  const group = groups.get(attribute.name) ?? { attribute, values: [] }
  groups.set(attribute.name, group)
  if (equality.kind === 'compare') group.values.push(equality.value)
  else for (const value of equality.values) group.values.push(value)
}

function joined(kind: 'and' | 'or', { attribute, values }: { attribute: Attribute; values: string[] }): Filter {
  const any: Filter = { kind: 'in', attribute, values }
  return kind === 'or' ? any : { kind: 'not', operand: any }
}
