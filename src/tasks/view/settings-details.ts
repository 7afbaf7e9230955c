import { type JsonObject, type JsonValue, parse, RawJson } from '../../json/index.js'
import { patchDetails, readPatch } from '../../settings/index.js'
import type { Details } from './details-model.js'

/** Longer texts are not read value by value just to be shown: a hundred thousand synonyms would take a second. */
const LONG_TEXT = 64 * 1024

/** The only settings that hold secrets, which are shown masked. */
const WITH_SECRETS = 'embedders'

/** The details of a task about settings, whose patch it keeps as compact JSON text. */
export function settingsDetails(text: string): Details {
  if (text.length <= LONG_TEXT) return shownPatch(parsed(text))
  const shown = membersOf(text).map(([name, value]) =>
    name === WITH_SECRETS ? shownPatch(new Map([[name, parsed(value)]])) : { [name]: new RawJson(value) },
  )
  return Object.assign({}, ...shown)
}

function shownPatch(value: JsonValue): Details {
  const patch = readPatch(value)
  if (patch.ok) return Object.fromEntries(patchDetails(patch.value))
  // Of another version: where its secrets are nobody knows, but that they are in there.
  const shown = Object.fromEntries(value as JsonObject)
  delete shown[WITH_SECRETS]
  return shown
}

function parsed(text: string): JsonValue {
  const value = parse(text, 1024)
  if (!value.ok) throw new Error(`a task holds settings that are not JSON: ${value.reason}`)
  return value.value
}

/** Names and texts of the members of a JSON object that was printed without blanks. */
export function membersOf(text: string): [name: string, value: string][] {
  const members: [string, string][] = []
  let at = 1
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at)
    const valueEnd = endOfValue(text, nameEnd + 1)
    members.push([JSON.parse(text.slice(at, nameEnd)), text.slice(nameEnd + 1, valueEnd)])
    at = valueEnd + 1
  }
  return members
}

/** The offset of the comma or brace behind a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const mark = text.charCodeAt(at)
    if (mark === QUOTE) at = endOfString(text, at) - 1
    else if (mark === OPEN_ARRAY || mark === OPEN_OBJECT) depth++
    else if (mark === COMMA && depth === 0) return at
    else if (mark === CLOSE_ARRAY || mark === CLOSE_OBJECT) {
      if (depth === 0) return at
      depth--
    }
  }
  return text.length
}

/** The offset behind the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
  return at + 1
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
