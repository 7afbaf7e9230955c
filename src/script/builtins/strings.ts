import {
  characterCount,
  compareText,
  cut,
  indexPosition,
  offsetOf,
  portion,
  rangePortion,
  startPosition,
  textOf,
} from '../text.js'
import { Char, type Int, Sequence, type Value } from '../value.js'
import { char, type Host, int, property, pure, range, string, text } from './define.js'
import { splitAtBlanks, splitText } from './split.js'

/** Functions of strings and characters that leave them as they are (spec 3 §6.5). */
export const STRINGS = [
  property('len', string, characterCount),
  property('bytes', string, (value) => Buffer.byteLength(value)),
  property('is_empty', string, (value) => value === ''),

  pure('to_upper', [string], ([value]) => value.toUpperCase()),
  pure('to_lower', [string], ([value]) => value.toLowerCase()),
  pure('to_upper', [char], ([value]) => changeCase(value, value.text.toUpperCase())),
  pure('to_lower', [char], ([value]) => changeCase(value, value.text.toLowerCase())),

  pure('contains', [string, text], ([value, part]) => value.includes(textOf(part))),
  pure('starts_with', [string, text], ([value, part]) => value.startsWith(textOf(part))),
  pure('ends_with', [string, text], ([value, part]) => value.endsWith(textOf(part))),
  pure('index_of', [string, text], ([value, part]) => indexOf(value, textOf(part), 0)),
  pure('index_of', [string, text, int], ([value, part, from]) => indexOf(value, textOf(part), from)),

  pure('sub_string', [string, int], ([value, start]) => subString(value, start)),
  pure('sub_string', [string, int, int], ([value, start, length]) => subString(value, start, length)),
  pure('sub_string', [string, range], ([value, part]) => cut(value, rangePortion(characterCount(value), part))),

  pure('split', [string], ([value], host) => splitAtBlanks(value, host.meter)),
  pure('split', [string, int], ([value, position]) => splitInTwo(value, position)),
  pure('split', [string, text], ([value, part], host) => splitText(value, { delimiter: textOf(part) }, host.meter)),
  pure('split', [string, text, int], ([value, part, max], host) =>
    splitText(value, { delimiter: textOf(part), max }, host.meter),
  ),
  pure('split_rev', [string, text], ([value, part], host) =>
    splitText(value, { delimiter: textOf(part), isReverse: true }, host.meter),
  ),
  pure('split_rev', [string, text, int], ([value, part, max], host) =>
    splitText(value, { delimiter: textOf(part), max, isReverse: true }, host.meter),
  ),

  pure('to_chars', [string], ([value], host) => toChars(value, host)),
  pure('chars', [string], ([value]) => characters(value)),
  pure('chars', [string, int], ([value, start]) => characters(subString(value, start))),
  pure('chars', [string, int, int], ([value, start, length]) => characters(subString(value, start, length))),
  pure('chars', [string, range], ([value, part]) => characters(cut(value, rangePortion(characterCount(value), part)))),
  pure('get', [string, int], ([value, index]) => characterAt(value, index)),

  pure('min', [string, string], ([a, b]) => (compareText(b, a) < 0 ? b : a)),
  pure('max', [string, string], ([a, b]) => (compareText(b, a) > 0 ? b : a)),
  pure('min', [char, char], ([a, b]) => (compareText(b.text, a.text) < 0 ? b : a)),
  pure('max', [char, char], ([a, b]) => (compareText(b.text, a.text) > 0 ? b : a)),
]

/** A character stays as it is when its other case is more than one character. */
export function changeCase(value: Char, changed: string): Char {
  return characterCount(changed) === 1 ? new Char(changed) : value
}

function indexOf(value: string, part: string, from: Int): Int {
  const start = startPosition(characterCount(value), from)
  const offset = value.indexOf(part, offsetOf(value, start))
  return offset < 0 ? -1 : characterCount(value.slice(0, offset))
}

export function subString(value: string, start: Int, length?: Int): string {
  return cut(value, portion(characterCount(value), start, length))
}

function splitInTwo(value: string, position: Int): Value[] {
  const offset = offsetOf(value, startPosition(characterCount(value), position))
  return [value.slice(0, offset), value.slice(offset)]
}

function toChars(value: string, host: Host): Value[] {
  const count = characterCount(value)
  host.meter.checkEntries(count)
  host.meter.spend(count)
  return Array.from(value, (character) => new Char(character))
}

/** The characters of a string, for loops. */
export function characters(value: string): Sequence {
  return new Sequence(function* () {
    for (const character of value) yield new Char(character)
  })
}

function characterAt(value: string, index: Int): Value {
  const position = indexPosition(characterCount(value), index)
  return position === undefined ? null : new Char(cut(value, { from: position, to: position + 1 }))
}
