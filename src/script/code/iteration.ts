import { characters } from '../builtins/strings.js'
import { toInt } from '../integer.js'
import { ScriptProblem } from '../problem.js'
import { Range, Sequence, typeName, type Value } from '../value.js'

/** The values a `for` loop goes through. */
export function iterate(source: Value): Iterator<Value> {
  if (Array.isArray(source)) return source.values()
  if (source instanceof Range) return numbers(source)
  if (typeof source === 'string') return characters(source).start()
  if (source instanceof Sequence) return source.start()
  throw new ScriptProblem('ErrorFor', `a for loop cannot go through ${typeName(source)}`)
}

function* numbers({ from, to, isInclusive }: Range): Generator<Value> {
  const end = BigInt(to) + (isInclusive ? 1n : 0n)
  for (let at = BigInt(from); at < end; at++) yield toInt(at)!
}
