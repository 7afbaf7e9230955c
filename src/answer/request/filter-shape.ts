import type { JsonValue } from '../../json/index.js'
import { anyJson, described, named, type Shape } from '../../shape/index.js'

const TEXTS = { type: 'array', items: { type: 'string' } }

/** A filter as bodies have it. It is looked at where its features and reading are known (`parseFilter`). */
export const filterValue: Shape<JsonValue> = named(
  'Filter',
  described(anyJson, {
    description:
      'An expression, or an array of expressions that must all hold; an array inside the array holds when one of its expressions does.',
    anyOf: [{ type: ['string', 'null'] }, { type: 'array', items: { anyOf: [{ type: 'string' }, TEXTS] } }],
    examples: ['genres = comedy AND year > 1990', ['year > 1990', ['genres = comedy', 'genres = drama']]],
  }),
)
