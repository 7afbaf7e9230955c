import { fail, ok, type Result } from '../../errors/index.js'
import type { Distribution } from './model.js'

interface Model {
  readonly dimensions: number
  readonly canShrink: boolean
  readonly distribution: Distribution
}

export const DEFAULT_OPEN_AI_MODEL = 'text-embedding-3-small'

/** The accepted models (spec 4 §4.3). */
const models = new Map<string, Model>([
  ['text-embedding-ada-002', { dimensions: 1536, canShrink: false, distribution: { mean: 0.9, sigma: 0.08 } }],
  [DEFAULT_OPEN_AI_MODEL, { dimensions: 1536, canShrink: true, distribution: { mean: 0.75, sigma: 0.1 } }],
  ['text-embedding-3-large', { dimensions: 3072, canShrink: true, distribution: { mean: 0.7, sigma: 0.1 } }],
])

/** Dimensions of an accepted model when none are given. */
export function openAiDimensions(model: string): number | undefined {
  return models.get(model)?.dimensions
}

interface Configuration {
  readonly name: string
  readonly model: string
  readonly dimensions: number | undefined
}

export function checkOpenAiModel({ name, model, dimensions }: Configuration): Result<undefined> {
  const known = models.get(model)
  if (!known) {
    const accepted = [...models.keys()].map((accepted) => `\`${accepted}\``).join(', ')
    return refuse(name, 'model', `${JSON.stringify(model)} is not known; accepted are ${accepted}`)
  }
  if (dimensions === undefined || dimensions === known.dimensions) return ok(undefined)
  if (!known.canShrink) {
    return refuse(name, 'dimensions', `\`${model}\` has ${known.dimensions} dimensions, ${dimensions} were asked for`)
  }
  if (dimensions < known.dimensions) return ok(undefined)
  return refuse(
    name,
    'dimensions',
    `\`${model}\` has at most ${known.dimensions} dimensions, ${dimensions} were asked for`,
  )
}

function refuse(name: string, field: string, reason: string): Result<never> {
  return fail('invalid_settings_embedders', `\`.embedders.${name}.${field}\`: ${reason}.`)
}

const BUILT_IN = new Map<string, Distribution>([
  ...[...models].map(([model, { distribution }]) => [model, distribution] as const),
  ['BAAI/bge-base-en-v1.5', { mean: 0.85, sigma: 0.1 }],
])

/** The distribution of scores that is used for a model when none is set; GET does not show it. */
export function builtInDistribution(model: string): Distribution | undefined {
  return BUILT_IN.get(model)
}
