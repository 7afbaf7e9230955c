import type { QueryShape, Shape } from '../shape/index.js'

/** What is described of a body: JSON of a shape, or bytes of some types. */
export type DescribedBody =
  | { readonly kind: 'json' | 'digest'; readonly shape: Shape<unknown>; readonly limitBytes: number }
  | { readonly kind: 'raw'; readonly types: { readonly names: readonly string[] }; readonly shape?: Shape<unknown> }

/** A route as its description sees it. */
export interface DescribedRoute {
  readonly method: string
  readonly path: string
  readonly action: string | readonly string[] | null
  readonly query?: QueryShape
  readonly rawQueryShape?: QueryShape
  readonly body?: DescribedBody
  readonly feature?: { readonly name: string; readonly doing: string }
  readonly checksIndexUid?: boolean
}
