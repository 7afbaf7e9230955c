import { toPosition } from '../integer.js'
import { joinTexts, replaceText } from '../operators.js'
import { characterCount, cut, indexPosition, rangePortion, replaceCharacter, textOf } from '../text.js'
import { Char, type Int, type Value } from '../value.js'
import { trimBlanks } from './blanks.js'
import { anything, char, type Host, inPlace, int, range, string, text } from './define.js'
import { changeCase, subString } from './strings.js'

/** Functions that put another string in the place of theirs and, but for `pop`, return `()` (spec 3 §6.5). */
export const STRINGS_IN_PLACE = [
  inPlace('trim', [string], (args) => put(args, trimBlanks(args[0]))),
  inPlace('make_upper', [string], (args) => put(args, args[0].toUpperCase())),
  inPlace('make_lower', [string], (args) => put(args, args[0].toLowerCase())),
  inPlace('make_upper', [char], (args) => put(args, changeCase(args[0], args[0].text.toUpperCase()))),
  inPlace('make_lower', [char], (args) => put(args, changeCase(args[0], args[0].text.toLowerCase()))),
  inPlace('clear', [string], (args) => put(args, '')),

  inPlace('replace', [string, text, text], (args, host) => {
    const [value, from, to] = args
    return put(args, replaceText({ text: value, from: textOf(from), to: textOf(to) }, host.meter))
  }),
  inPlace('remove', [string, text], (args, host) => {
    const [value, part] = args
    return put(args, replaceText({ text: value, from: textOf(part), to: '' }, host.meter))
  }),
  inPlace('append', [string, anything], (args, host) => put(args, joinTexts(args[0], args[1], host.meter))),
  inPlace('pad', [string, int, text], (args, host) => {
    const [value, length, filling] = args
    return put(args, padded(value, { length, filling: textOf(filling) }, host))
  }),

  inPlace('crop', [string, int], (args) => put(args, subString(args[0], args[1]))),
  inPlace('crop', [string, int, int], (args) => put(args, subString(args[0], args[1], args[2]))),
  inPlace('crop', [string, range], (args) => put(args, cut(args[0], rangePortion(characterCount(args[0]), args[1])))),
  inPlace('truncate', [string, int], (args) => put(args, subString(args[0], 0, args[1]))),
  inPlace('set', [string, int, char], (args) => put(args, withCharacter(args[0], args[1], args[2]))),

  inPlace('pop', [string], (args) => {
    const last = removeLast(args, 1)
    return last === '' ? null : new Char(last)
  }),
  inPlace('pop', [string, int], (args) => removeLast(args, args[1])),
]

function put(args: [Value, ...Value[]], value: Value): null {
  args[0] = value
  return null
}

function padded(value: string, wanted: { length: Int; filling: string }, host: Host): string {
  const missing = toPosition(wanted.length) - characterCount(value)
  if (missing <= 0 || wanted.filling === '') return value
  // A character is at most two UTF-16 units.
  host.meter.checkText(value.length + missing * 2)
  host.meter.spendText(missing * 2)
  const repeats = Math.ceil(missing / characterCount(wanted.filling))
  return value + cut(wanted.filling.repeat(repeats), { from: 0, to: missing })
}

function withCharacter(value: string, index: Int, character: Char): string {
  const position = indexPosition(characterCount(value), index)
  return position === undefined ? value : replaceCharacter(value, position, character.text)
}

function removeLast(args: [string, ...Value[]], count: Int): string {
  const [value] = args
  const size = characterCount(value)
  const kept = Math.max(0, size - Math.max(0, toPosition(count)))
  args[0] = cut(value, { from: 0, to: kept })
  return cut(value, { from: kept, to: size })
}
