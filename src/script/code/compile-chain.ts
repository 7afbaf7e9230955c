import { callMethod } from '../machine/call.js'
import type { Label, Machine, Root } from '../machine/model.js'
import { type Path, Place } from '../machine/place.js'
import type { Chain, Expression, Link, MethodLink, PathLink } from '../syntax/ast.js'
import type { Value } from '../value.js'
import { compileIsShared } from './compile-expression.js'
import type { Compilers, Emitter } from './emitter.js'

export const CHAINS: Compilers<'chain'> = {
  chain: (emitter, node) => {
    const [first] = node.links
    const asksShared = first?.kind === 'method' && first.name === 'is_shared' && node.links.length === 1
    if (asksShared && node.root.kind === 'name') compileIsShared(emitter, node.root)
    else compileLinks(emitter, node)
  },
}

/** Each method of the chain works on what the links before it lead to, and the next links start at its result. */
function compileLinks(emitter: Emitter, node: Chain): void {
  const end = emitter.label()
  let root = compileRoot(emitter, node.root)
  let links: PathLink[] = []
  for (const link of node.links) {
    if (link.kind !== 'method') {
      links.push(link)
      continue
    }
    compileMethod(emitter, { path: { root, links }, method: link, end })
    root = TEMPORARY
    links = []
  }
  if (links.length > 0) compileRead(emitter, { root, links }, end)
  emitter.mark(end)
}

const TEMPORARY: Root = { kind: 'temporary' }

/** Variables and `this` are used where they are; anything else is evaluated first. */
export function compileRoot(emitter: Emitter, root: Expression): Root {
  if (root.kind === 'this') return { kind: 'this' }
  const variable = root.kind === 'name' ? emitter.scope.find(root.name) : undefined
  if (variable !== undefined) return { kind: 'variable', variable }
  emitter.node(root)
  return TEMPORARY
}

/** Puts the evaluated indexes of the links on the stack. */
export function compileIndexes(emitter: Emitter, links: readonly Link[]): void {
  for (const link of links) if (link.kind === 'index') emitter.node(link.index)
}

function compileRead(emitter: Emitter, path: Path, end: Label): void {
  compileIndexes(emitter, path.links)
  emitter.emit(path.links.at(-1)!.at, (machine) => {
    pushOrSkip(machine, new Place(machine, path).read(), end)
  })
}

/** A skipped optional link makes the whole chain `()`. */
function pushOrSkip(machine: Machine, value: Value | undefined, end: Label): void {
  machine.push(value === undefined ? null : machine.ownership.share(value))
  if (value === undefined) machine.jump(end)
}

function compileMethod(emitter: Emitter, call: { path: Path; method: MethodLink; end: Label }): void {
  const { path, method, end } = call
  compileIndexes(emitter, path.links)
  for (const arg of method.args) emitter.node(arg)
  emitter.emit(method.at, (machine) => {
    const args = machine.popMany(method.args.length)
    const place = new Place(machine, path)
    const receiver = place.read()
    const isSkipped = receiver === undefined || (receiver === null && method.isOptional)
    if (isSkipped) pushOrSkip(machine, undefined, end)
    else callMethod(machine, { name: method.name, args, receiver, place })
  })
}
