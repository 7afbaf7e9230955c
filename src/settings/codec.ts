import { MAX_DEPTH, parse, print } from '../json/index.js'
import { applyPatch } from './apply.js'
import { defaultSettings, type Settings } from './model.js'
import { readPatch } from './shape.js'
import { dumpView } from './view.js'
import { storedForms } from './word-forms.js'

/**
 * Stored settings: one version byte, then the JSON text of the form that dumps have (UTF-8). Written once for each
 * settings task and read once for each version of an index, so being small or fast to read does not matter.
 */
const VERSION = 1

/** The JSON of a request stands deeper here than in the body it came with. */
const MAX_STORED_DEPTH = MAX_DEPTH + 8

export function encodeSettings(settings: Settings): Uint8Array {
  return Buffer.concat([Uint8Array.of(VERSION), Buffer.from(print(dumpView(settings)))])
}

/** Reads what `encodeSettings` wrote. Throws when the bytes are something else. */
export function decodeSettings(bytes: Uint8Array): Settings {
  if (bytes[0] !== VERSION) throw new CorruptSettings(`version ${VERSION} was expected, ${bytes[0]} was found`)
  const text = parse(
    Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.byteLength - 1).toString('utf8'),
    MAX_STORED_DEPTH,
  )
  if (!text.ok) throw new CorruptSettings(text.reason)
  const patch = readPatch(text.value)
  // The words were normalized before they were stored; doing it again could change them.
  const settings = patch.ok ? applyPatch(defaultSettings, patch.value, storedForms) : patch
  if (!settings.ok) throw new CorruptSettings(settings.failure.message)
  return settings.value
}

/** The bytes of the settings are not what `encodeSettings` writes. */
export class CorruptSettings extends Error {
  constructor(reason: string) {
    super(`The stored settings of the index cannot be read: ${reason}`)
    this.name = 'CorruptSettings'
  }
}
