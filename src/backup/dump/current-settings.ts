import { isObject, type JsonObject, type JsonValue } from '../../json/index.js'
import { settingNames } from '../../settings/index.js'

/** The settings of a dump as this version reads them: those it does not know are left out. */
export function currentSettings(dumped: JsonObject): JsonObject {
  const settings: JsonObject = new Map()
  for (const name of settingNames) {
    const value = dumped.get(name)
    if (value !== undefined) settings.set(name, name === 'embedders' ? withPooling(value) : value)
  }
  return settings
}

/** Models of Hugging Face were pooled this way before there was a choice (spec 2 §6.3). */
function withPooling(embedders: JsonValue): JsonValue {
  if (!isObject(embedders)) return embedders
  return new Map([...embedders].map(([name, embedder]) => [name, pooled(embedder)]))
}

function pooled(embedder: JsonValue): JsonValue {
  if (!isObject(embedder) || embedder.get('source') !== 'huggingFace' || embedder.has('pooling')) return embedder
  return new Map([...embedder, ['pooling', 'forceMean']])
}
