import { toPosition } from '../integer.js'
import { ExitRequest } from '../problem.js'
import { FunctionValue } from '../value.js'
import { anything, int, pure, string } from './define.js'

/** Functions about the run itself (spec 3 §6.4 and §6.5). */
export const RUNTIME = [
  pure('Fn', [string], ([name]) => new FunctionValue(name)),
  pure('is_def_fn', [string, int], ([name, count], host) => host.hasFunction(name, toPosition(count))),
  // Only variables that a closure uses are shared, and those the compiler answers for itself.
  pure('is_shared', [anything], () => false),
  pure('print', [anything], () => null),
  pure('debug', [anything], () => null),
  pure('exit', [], exit),
  pure('exit', [anything], exit),
]

function exit(): never {
  throw new ExitRequest()
}
