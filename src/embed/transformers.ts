/** What is used of the package `@huggingface/transformers`. */
export interface Transformers {
  readonly env: { readonly remoteHost: string }
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { readonly revision?: string; readonly dtype: 'fp32' },
  ): Promise<Extract>
}

/** The vectors of the tokens of one text, one after the other in `data`; the last of `dims` is their length. */
export type Extract = (
  text: string,
  options: { readonly pooling: 'none'; readonly normalize: false },
) => Promise<TokenVectors>

interface TokenVectors {
  readonly data: ArrayLike<number>
  readonly dims: readonly number[]
}

/** Undefined when the package is not there. */
export type LoadTransformers = () => Promise<Transformers | undefined>
