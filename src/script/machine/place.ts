import { ScriptProblem } from '../problem.js'
import type { PathLink } from '../syntax/ast.js'
import { isInt, isMap, type Value } from '../value.js'
import { elementPosition, noProperty, readElement, readProperty, withCharacter, wrongIndex } from './access.js'
import type { Frame, Home, Machine, Root } from './model.js'
import { loadSelf, loadVariable, storeSelf, storeVariable } from './variables.js'

/** How to find a value that can be changed: where to start, and the links from there. */
export interface Path {
  readonly root: Root
  readonly links: readonly PathLink[]
}

/** A value that can be changed: a path in a frame, with its indexes evaluated. */
export class Place implements Home {
  private readonly frame: Frame
  /** For each link the name of the property or the evaluated index. */
  private readonly keys: readonly Value[]
  private temporary: Value = null

  /** Takes the indexes of the path from the stack, and the root if it is temporary. */
  constructor(
    private readonly machine: Machine,
    private readonly path: Path,
  ) {
    this.frame = machine.frame
    this.keys = popKeys(machine, path.links)
    if (path.root.kind === 'temporary') this.temporary = machine.pop()
  }

  /** Nothing of a constant can be changed (spec 3 §6.5.1). */
  get isConstant(): boolean {
    const { root } = this.path
    if (root.kind === 'variable') return root.variable.mode !== 'variable'
    return root.kind === 'this' && this.frame.binding.isConstant
  }

  refuseConstant(): void {
    if (!this.isConstant) return
    const name = this.path.root.kind === 'variable' ? this.path.root.variable.name : 'this'
    throw new ScriptProblem('ErrorAssignmentToConstant', `${name} is constant and cannot be changed`)
  }

  /** The value itself, not a copy. Undefined when an optional link (`?.`) meets `()`. */
  read(depth = this.path.links.length): Value | undefined {
    let value = this.loadRoot()
    for (let i = 0; i < depth; i++) {
      if (value === null && this.path.links[i]!.isOptional) return undefined
      value = this.readLink(value, i)
    }
    return value
  }

  /** Whether an assignment has no effect because an optional link meets `()`. */
  get isSkipped(): boolean {
    const last = this.path.links.findLastIndex((link) => link.isOptional)
    if (last < 0) return false
    const holder = this.read(last)
    return holder === undefined || holder === null
  }

  /** The value, owned together with everything on the way to it, so that it can be changed in place. */
  own(depth = this.path.links.length): Value {
    const root = this.loadRoot()
    let value = this.machine.ownership.own(root)
    if (value !== root) this.storeRoot(value)
    for (let i = 0; i < depth; i++) {
      const child = this.readLink(value, i)
      const owned = this.machine.ownership.own(child)
      if (owned !== child) this.writeLink(value, i, owned)
      value = owned
    }
    return value
  }

  /** Puts a value here. Only the last property on the way may be new (spec 3 §6.5.1). */
  write(value: Value, depth = this.path.links.length): void {
    if (depth === 0) {
      this.storeRoot(value)
      return
    }
    const holder = this.own(depth - 1)
    // Strings are values: changing a character makes another string, which goes where the old one was.
    if (typeof holder === 'string') this.write(this.changeText(holder, depth - 1, value), depth - 1)
    else this.writeLink(holder, depth - 1, value)
  }

  private loadRoot(): Value {
    const { root } = this.path
    if (root.kind === 'temporary') return this.temporary
    return root.kind === 'this' ? loadSelf(this.frame) : loadVariable(this.frame, root.variable)
  }

  private storeRoot(value: Value): void {
    const { root } = this.path
    if (root.kind === 'temporary') this.temporary = value
    else if (root.kind === 'this') storeSelf(this.frame, value)
    else storeVariable(this.frame, root.variable, value)
  }

  private readLink(holder: Value, position: number): Value {
    const link = this.path.links[position]!
    if (link.kind === 'property') return readProperty(this.machine, holder, link.name)
    return readElement(this.machine, holder, this.keys[position]!)
  }

  private writeLink(holder: Value, position: number, value: Value): void {
    const link = this.path.links[position]!
    const key = this.keys[position]!
    if (isMap(holder) && typeof key === 'string') this.writeEntry(holder, key, value)
    else if (link.kind === 'property') throw noProperty(holder, link.name)
    else if (Array.isArray(holder) && isInt(key)) holder[elementPosition(holder, key)] = value
    else throw wrongIndex(holder, key)
  }

  private writeEntry(holder: Map<string, Value>, key: string, value: Value): void {
    this.machine.meter.spendText(key.length)
    if (!holder.has(key)) this.machine.meter.checkEntries(holder.size + 1)
    holder.set(key, value)
  }

  private changeText(text: string, position: number, value: Value): string {
    const link = this.path.links[position]!
    if (link.kind === 'property') throw noProperty(text, link.name)
    this.machine.meter.spendText(text.length)
    return withCharacter(text, this.keys[position]!, value)
  }
}

/** The keys of the links; those of indexes lie on the stack in their order. */
function popKeys(machine: Machine, links: readonly PathLink[]): Value[] {
  const keys: Value[] = new Array(links.length)
  for (let i = links.length - 1; i >= 0; i--) {
    const link = links[i]!
    keys[i] = link.kind === 'property' ? link.name : machine.pop()
  }
  return keys
}
