import type { Variable, VariableMode } from '../machine/model.js'

interface Block {
  readonly names: Map<string, Variable>
  readonly aliveBefore: number
}

/** The variables of one function while it is compiled: blocks inside each other, names shadowing names. */
export class FunctionScope {
  readonly captures: Variable[] = []
  /** For each capture the variable of the enclosing function it comes from. */
  readonly captured: Variable[] = []
  private readonly blocks: Block[] = [{ names: new Map(), aliveBefore: 0 }]
  private slotCount = 0
  /** Variables alive, shadowed ones included. */
  private aliveCount = 0

  /** `enclosing` is the function around a closure. Functions defined with `fn` see nothing outside. */
  constructor(private readonly enclosing?: FunctionScope) {}

  openBlock(): void {
    this.blocks.push({ names: new Map(), aliveBefore: this.aliveCount })
  }

  closeBlock(): void {
    this.aliveCount = this.blocks.pop()?.aliveBefore ?? 0
  }

  declare(name: string, mode: VariableMode = 'variable'): Variable {
    const variable = this.newVariable(name, mode)
    this.aliveCount++
    this.blocks.at(-1)?.names.set(name, variable)
    return variable
  }

  /** The variable of this name that is visible here; one of an enclosing function becomes captured. */
  find(name: string): Variable | undefined {
    return this.findOwn(name) ?? this.capture(name)
  }

  /** Names visible in this function, without those that nothing has captured yet. */
  visible(): ReadonlyMap<string, Variable> {
    const captures = this.captures.map((variable): [string, Variable] => [variable.name, variable])
    return new Map([...captures, ...this.blocks.flatMap((block) => [...block.names])])
  }

  private findOwn(name: string): Variable | undefined {
    const block = this.blocks.findLast((each) => each.names.has(name))
    return block?.names.get(name) ?? this.captures.find((variable) => variable.name === name)
  }

  private capture(name: string): Variable | undefined {
    const outer = this.enclosing?.find(name)
    if (outer === undefined) return undefined
    outer.isCaptured = true
    const variable = { ...this.newVariable(name, outer.mode), isCaptured: true }
    this.captures.push(variable)
    this.captured.push(outer)
    return variable
  }

  /** Slots are never used twice, so that a closure keeps the cell it has captured. */
  private newVariable(name: string, mode: VariableMode): Variable {
    return { name, slot: this.slotCount++, rank: this.aliveCount, mode, isCaptured: false }
  }
}
