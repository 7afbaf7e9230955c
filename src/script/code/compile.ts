import type { Code, CompiledScript } from '../machine/model.js'
import type { At } from '../problem.js'
import type { FunctionDefinition, Node, Program } from '../syntax/ast.js'
import { functionKey } from '../syntax/parse.js'
import { CHAINS } from './compile-chain.js'
import { CONTROL } from './compile-control.js'
import { EXPRESSIONS } from './compile-expression.js'
import { LOOPS } from './compile-loops.js'
import { STATEMENTS } from './compile-statement.js'
import { type Compilation, type Compilers, Emitter } from './emitter.js'
import { FunctionScope } from './scope.js'

const COMPILERS: Compilers<Node['kind']> = { ...EXPRESSIONS, ...CHAINS, ...CONTROL, ...LOOPS, ...STATEMENTS }

const START: At = { line: 1, column: 1 }

/** Syntax tree in, steps for the machine out. Throws a `SyntaxProblem`. */
export function compile(program: Program): CompiledScript {
  const compilation: Compilation = {
    functionNames: new Set(program.functions.map((definition) => definition.name)),
    closures: [],
    compile: compileNode,
  }
  const functions = new Map<string, Code>()
  for (const definition of program.functions) {
    const key = functionKey(definition.name, definition.parameters.length)
    functions.set(key, compileFunction(compilation, definition))
  }
  return { main: compileMain(compilation, program), functions, closures: compilation.closures }
}

function compileNode(emitter: Emitter, node: Node): void {
  // The table has for each kind a function that takes nodes of that kind.
  const compiler = COMPILERS[node.kind] as (emitter: Emitter, node: Node) => void
  compiler(emitter, node)
}

/** The script is a function of `doc` and `context` (spec 3 §6.1). */
function compileMain(compilation: Compilation, program: Program): Code {
  const scope = new FunctionScope()
  const parameters = [scope.declare('doc'), scope.declare('context', 'given')]
  const emitter = new Emitter(scope, compilation)
  emitter.node({ kind: 'block', statements: program.statements, at: START })
  return emitter.finish('script', parameters, START)
}

function compileFunction(compilation: Compilation, { name, parameters, body, at }: FunctionDefinition): Code {
  const scope = new FunctionScope()
  const variables = parameters.map((parameter) => scope.declare(parameter))
  const emitter = new Emitter(scope, compilation)
  emitter.node(body)
  return emitter.finish(name, variables, at)
}
