import { isObject } from '../json/index.js'
import { evaluate, evaluateChain, evaluateCount, holds } from './evaluate.js'
import type { Loop, Node } from './node.js'
import { TemplateProblem } from './problem.js'
import type { Frame, Scope } from './scope.js'
import { areEqual, textOf, type Value } from './value.js'

type NodeOf<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>

/** The text of some nodes. Stops early after `break` or `continue`; the loop around takes note of that. */
export function renderNodes(nodes: readonly Node[], scope: Scope): string {
  let text = ''
  for (const node of nodes) {
    scope.meter.step()
    text += renderNode(node, scope)
    if (scope.interruption) break
  }
  return text
}

function renderNode(node: Node, scope: Scope): string {
  switch (node.kind) {
    case 'text':
      scope.meter.spend(node.text.length)
      return node.text
    case 'output':
      return textOf(evaluateChain(node.chain, scope), scope.meter)
    case 'if':
      return renderIf(node, scope)
    case 'case':
      return renderCase(node, scope)
    case 'for':
      return renderFor(node, scope)
    case 'tablerow':
      return renderTablerow(node, scope)
    case 'cycle':
      return renderCycle(node, scope)
    case 'ifchanged':
      return renderIfChanged(node, scope)
    case 'increment':
      return String(scope.increment(node.variable))
    case 'decrement':
      return String(scope.decrement(node.variable))
    default:
      return renderSilent(node, scope)
  }
}

/** Tags that write nothing. */
function renderSilent(node: NodeOf<'assign' | 'capture' | 'break' | 'continue' | 'partial'>, scope: Scope): string {
  switch (node.kind) {
    case 'assign':
      scope.assign(node.variable, evaluateChain(node.chain, scope))
      return ''
    case 'capture':
      scope.assign(node.variable, renderNodes(node.body, scope))
      return ''
    case 'break':
    case 'continue':
      scope.interruption = node.kind
      return ''
    case 'partial':
      throw new TemplateProblem(`\`${node.tag}\` cannot be used, since there are no other templates`)
  }
}

function renderIf({ branches, otherwise }: NodeOf<'if'>, scope: Scope): string {
  const branch = branches.find(({ condition, wanted }) => holds(condition, scope) === wanted)
  return renderNodes(branch?.body ?? otherwise, scope)
}

function renderCase({ subject, whens, otherwise }: NodeOf<'case'>, scope: Scope): string {
  const value = evaluate(subject, scope)
  const isMatch = (candidate: Value) => areEqual(value, candidate, scope.meter)
  const when = whens.find(({ values }) => values.some((candidate) => isMatch(evaluate(candidate, scope))))
  return renderNodes(when?.body ?? otherwise, scope)
}

function itemsOf({ list, limit, offset }: Loop, scope: Scope): readonly Value[] {
  const items = listOf(evaluate(list, scope))
  scope.meter.spend(items.length)
  return portion(items, evaluateCount(limit, scope), evaluateCount(offset, scope))
}

/** What a loop goes over: the elements of an array, or the pairs of name and value of an object. */
function listOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  if (isObject(value)) return [...value].map((pair): Value => [...pair])
  if (value === null) return []
  throw new TemplateProblem('a loop needs an array, an object or nil')
}

/** With a limit beyond what the offset leaves, nil fills up to the limit (at most to the length of the list). */
function portion(items: readonly Value[], limit: number | undefined, offset = 0): readonly Value[] {
  const rest = items.slice(offset)
  if (limit === undefined) return rest
  const length = Math.min(limit, items.length)
  return Array.from({ length }, (_, i) => rest[i] ?? null)
}

function renderFor(node: NodeOf<'for'>, scope: Scope): string {
  const forward = itemsOf(node, scope)
  const items = node.isReversed ? [...forward].reverse() : forward
  if (items.length === 0) return renderNodes(node.otherwise, scope)
  const parent = scope.find('forloop') ?? null
  const loop = (turn: number) => position(turn, items.length, [['parentloop', parent]])
  return renderTurns({ node, items, loopName: 'forloop', loop }, scope)
}

interface Turns {
  readonly node: Loop
  readonly items: readonly Value[]
  readonly loopName: string
  readonly loop: (turn: number) => Value
  /** What goes around the text of a turn. */
  readonly wrap?: (text: string, turn: number) => string
}

function renderTurns({ node, items, loopName, loop, wrap }: Turns, scope: Scope): string {
  let turn = 0
  const frame: Frame = { variable: node.variable, item: null, loopName, loop: () => loop(turn) }
  let text = ''
  scope.enter(frame)
  for (; turn < items.length; turn++) {
    scope.meter.step()
    frame.item = items[turn]!
    const body = renderNodes(node.body, scope)
    text += wrap ? wrap(body, turn) : body
    const interruption = scope.interruption
    scope.interruption = undefined
    if (interruption === 'break') break
  }
  scope.leave()
  return text
}

/** `forloop` and `tablerowloop`. */
function position(i: number, length: number, more: readonly (readonly [string, Value])[]): Value {
  return new Map<string, Value>([
    ['length', length],
    ['index', i + 1],
    ['index0', i],
    ['rindex', length - i],
    ['rindex0', length - i - 1],
    ['first', i === 0],
    ['last', i === length - 1],
    ...more,
  ])
}

function renderTablerow(node: NodeOf<'tablerow'>, scope: Scope): string {
  const items = itemsOf(node, scope)
  const columns = evaluateCount(node.columns, scope) || items.length
  const isLastOfRow = (turn: number) => turn % columns === columns - 1 || turn === items.length - 1
  const loop = (turn: number) =>
    position(turn, items.length, [
      ['col', (turn % columns) + 1],
      ['col0', turn % columns],
      ['col_first', turn % columns === 0],
      ['col_last', isLastOfRow(turn)],
    ])
  const wrap = (text: string, turn: number) => {
    const row = turn % columns === 0 ? `<tr class="row${Math.floor(turn / columns) + 1}">` : ''
    return `${row}<td class="col${(turn % columns) + 1}">${text}</td>${isLastOfRow(turn) ? '</tr>' : ''}`
  }
  return renderTurns({ node, items, loopName: 'tablerowloop', loop, wrap }, scope)
}

function renderCycle({ group, values }: NodeOf<'cycle'>, scope: Scope): string {
  const turn = scope.cycles.get(group) ?? 0
  scope.cycles.set(group, turn + 1)
  return textOf(evaluate(values[turn % values.length]!, scope), scope.meter)
}

function renderIfChanged({ body }: NodeOf<'ifchanged'>, scope: Scope): string {
  const text = renderNodes(body, scope)
  const isChanged = text !== scope.lastWritten
  scope.lastWritten = text
  return isChanged ? text : ''
}
