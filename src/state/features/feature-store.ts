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
  /** With the launch options, which count until something is changed. */
  private readonly launched: Features
  private isChanged = false
  /** Some change has been decided on, though it may not be on disk yet. */
  private isDecided = false

  constructor(log: StateLog, launch: FeaturesConfig) {
    const whole = (bytes: Buffer): Features => wholeOf(decode(bytes), launch)
    this.stored = new StateEntries(log, 'features', { encode, decode: whole })
    this.launched = atLaunch(this.stored.get(KEY), launch)
    log.follow('features', () => {
      this.isChanged = true
      this.isDecided = true
    })
  }

  get current(): Features {
    return (this.isChanged ? this.stored.get(KEY) : undefined) ?? this.launched
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
      const before = (this.isDecided ? get(KEY) : undefined) ?? this.launched
      const wanted = { ...before, ...changes }
      put(KEY, wanted)
      this.isDecided = true
      return wanted
    })
  }
}

/** The default of `legacySearch` only counts until a value was stored. */
function wholeOf(stored: Partial<Features>, { legacySearchDefault }: FeaturesConfig): Features {
  const features = Object.fromEntries(FEATURES.map((name) => [name, stored[name] ?? false])) as Features
  return { ...features, legacySearch: stored.legacySearch ?? legacySearchDefault }
}

/** Options switch features on. */
function atLaunch(stored: Features | undefined, launch: FeaturesConfig): Features {
  const features = stored ?? wholeOf({}, launch)
  return {
    ...features,
    metrics: features.metrics || launch.metrics,
    logsRoute: features.logsRoute || launch.logsRoute,
    containsFilter: features.containsFilter || launch.containsFilter,
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
