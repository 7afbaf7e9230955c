import type { FeaturesConfig } from '../../config/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { StateEntries, type StateLog } from '../../store/index.js'

/** The experimental features, in the order of answers (spec 1 §5.7). */
export const FEATURES = [
  'metrics',
  'logsRoute',
  'editDocumentsByFunction',
  'containsFilter',
  'dynamicSearchRules',
  'network',
  'getTaskDocumentsRoute',
  'taskQueueCompactionRoute',
  'compositeEmbedders',
  'chatCompletions',
  'multimodal',
  'foreignKeys',
  'disableDocumentsFetchQueue',
  'legacySearch',
  'renderRoute',
] as const

export type FeatureName = (typeof FEATURES)[number]
export type Features = Readonly<Record<FeatureName, boolean>>

const KEY = 'features'
const VERSION = 1

/** Which experimental features are on: in memory for asking, on disk for the next start. */
export class FeatureStore {
  private readonly stored: StateEntries<Features>
  /** As long as nothing was stored. */
  private readonly unchanged: Features

  constructor(log: StateLog, launch: FeaturesConfig) {
    this.unchanged = atLaunch(undefined, launch)
    this.stored = new StateEntries(log, 'features', { encode, decode: (bytes) => atLaunch(decode(bytes), launch) })
  }

  get current(): Features {
    return this.stored.get(KEY) ?? this.unchanged
  }

  isOn(name: FeatureName): boolean {
    return this.current[name]
  }

  /** Refuses when the feature is off; `doing` starts the sentence: "Reading metrics". */
  require(name: FeatureName, doing: string): Result<true> {
    return this.isOn(name) ? ok(true) : fail('feature_not_enabled', doing, name)
  }

  /** Absent members stay as they are. All values are stored, so those of the launch options are too. */
  change(changes: Partial<Features>): Promise<Features> {
    return this.stored.change(({ get, put }) => {
      const wanted = { ...(get(KEY) ?? this.unchanged), ...changes }
      put(KEY, wanted)
      return wanted
    })
  }
}

/** Options switch features on; the default of `legacySearch` only counts until a value was stored. */
function atLaunch(stored: Partial<Features> | undefined, launch: FeaturesConfig): Features {
  const features = Object.fromEntries(FEATURES.map((name) => [name, stored?.[name] ?? false])) as Features
  return {
    ...features,
    metrics: features.metrics || launch.metrics,
    logsRoute: features.logsRoute || launch.logsRoute,
    containsFilter: features.containsFilter || launch.containsFilter,
    legacySearch: stored?.legacySearch ?? launch.legacySearchDefault,
  }
}

/** Layout: version byte, then the JSON text of the whole object. */
function encode(features: Features): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(JSON.stringify(features))])
}

function decode(bytes: Buffer): Partial<Features> {
  if (bytes[0] !== VERSION) throw new Error(`Experimental features are stored in an unknown version: ${bytes[0]}`)
  return JSON.parse(bytes.toString('utf8', 1)) as Partial<Features>
}
