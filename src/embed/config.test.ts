import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Float, type JsonValue } from '../json/index.js'
import { type EmbedderConfig, parseConfig, printConfig } from './config.js'

const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, 'text', '{{text}}', 5, new Float(5), new Float(0.1), 2n ** 60n),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', '__proto__', 'source'), tie('value')), { maxLength: 3 })
      .map((m) => new Map(m)),
  ),
})).value

const text = fc.constantFrom('a', 'b')
const remote = { model: text, apiKey: text, dimensions: fc.nat(9), url: text }
const fragments = fc.array(fc.tuple(text, json)).map((members) => new Map(members))
const model = fc.oneof(
  fc.record({ source: fc.constant('openAi' as const), ...remote }, { requiredKeys: ['source', 'model'] }),
  fc.record({ source: fc.constant('ollama' as const), ...remote }, { requiredKeys: ['source', 'model'] }),
  fc.record(
    {
      source: fc.constant('huggingFace' as const),
      model: text,
      revision: text,
      pooling: fc.constant('forceCls' as const),
    },
    { requiredKeys: ['source', 'model', 'pooling'] },
  ),
  fc.record(
    {
      source: fc.constant('rest' as const),
      url: text,
      apiKey: text,
      dimensions: fc.nat(9),
      indexingFragments: fragments,
      searchFragments: fragments,
      request: json,
      response: json,
      headers: fc.constant(new Map([['x', 'y']])),
    },
    { requiredKeys: ['source', 'url', 'request', 'response', 'headers'] },
  ),
)
const config: fc.Arbitrary<EmbedderConfig> = fc.oneof(
  model,
  fc.record({ source: fc.constant('userProvided' as const), dimensions: fc.nat(9) }),
  fc.record({ source: fc.constant('composite' as const), searchEmbedder: model, indexingEmbedder: model }),
)

test('a configuration that is printed and read back is the same', () => {
  fc.assert(
    fc.property(config, (given) => {
      expect(parseConfig(printConfig(given))).toEqual(given)
    }),
  )
})

test('what does not change vectors does not tell configurations apart', () => {
  const plain: EmbedderConfig = { source: 'ollama', model: 'm' }
  const more = { ...plain, documentTemplate: 'x', distribution: { mean: 0.5, sigma: 0.1 }, binaryQuantized: true }
  expect(printConfig(more)).toBe(printConfig(plain))
  expect(printConfig({ ...plain, apiKey: 'k' })).not.toBe(printConfig(plain))
})
