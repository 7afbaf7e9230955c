/** How the vectors of the tokens become the vector of the text (spec 7 §1.8). */
export type Pooling = 'cls' | 'mean' | 'last' | 'mean-sqrt' | 'max'

/** In the order in which the flags count. */
const FLAGS: readonly (readonly [flag: string, pooling: Pooling])[] = [
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_lasttoken', 'last'],
  ['pooling_mode_mean_sqrt_len_tokens', 'mean-sqrt'],
  ['pooling_mode_max_tokens', 'max'],
]

/** What the file `1_Pooling/config.json` of a model says. */
export function poolingOf(file: unknown): Pooling {
  const flags = (typeof file === 'object' && file !== null ? file : {}) as Readonly<Record<string, unknown>>
  return FLAGS.find(([flag]) => flags[flag] === true)?.[1] ?? 'mean'
}

interface TokenVectors {
  readonly data: ArrayLike<number>
  readonly dims: readonly number[]
}

export function pool({ data, dims }: TokenVectors, pooling: Pooling): Float32Array {
  const length = dims.at(-1) ?? 0
  const count = length === 0 ? 0 : data.length / length
  if (count < 1) throw new Error('the model gave no vectors')
  const token = (i: number) => Float32Array.from({ length }, (_, j) => data[i * length + j]!)
  switch (pooling) {
    case 'cls':
      return token(0)
    case 'last':
      return token(count - 1)
    case 'max':
      return combined(count, token, Math.max)
    case 'mean':
      return combined(count, token, add).map((sum) => sum / count)
    case 'mean-sqrt':
      return combined(count, token, add).map((sum) => sum / Math.sqrt(count))
  }
}

const add = (a: number, b: number): number => a + b

function combined(
  count: number,
  token: (i: number) => Float32Array,
  unite: (a: number, b: number) => number,
): Float32Array {
  let all = token(0)
  for (let i = 1; i < count; i++) {
    const next = token(i)
    all = all.map((value, j) => unite(value, next[j]!))
  }
  return all
}
