import { ok, type Result } from '../errors/index.js'
import type { ConfigOf } from './config.js'
import type { EmbedInput, Source } from './embedder.js'
import { because, excerpt, givenUp, refuse } from './failures.js'
import { type Pooling, pool, poolingOf } from './pooling.js'
import type { EmbedServices } from './services.js'
import type { Extract, LoadTransformers, Transformers } from './transformers.js'

// A name that the compiler does not look up: the package is optional.
const PACKAGE: string = '@huggingface/transformers'

const importTransformers: LoadTransformers = () =>
  import(PACKAGE).then(
    (module) => module as Transformers,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined
      throw error
    },
  )

/** A model that runs in this process, in single precision as the reference does. */
export async function openHuggingFace(
  services: EmbedServices,
  config: ConfigOf<'huggingFace'>,
): Promise<Result<Source>> {
  const transformers = await (services.loadTransformers ?? importTransformers)()
  if (transformers === undefined) {
    return refuse(
      `models of the source \`huggingFace\` need the package \`${PACKAGE}\`, which is not installed next to this server`,
    )
  }
  const pooling = await choosePooling(services, transformers, config)
  if (!pooling.ok) return because('The model could not be loaded', pooling.failure)
  const { model, revision } = config
  const extract = await attempt(() => transformers.pipeline('feature-extraction', model, { revision, dtype: 'fp32' }))
  if (!extract.ok) return because(`The model \`${model}\` could not be loaded`, extract.failure)
  const test = await attempt(async () => pool(await extract.value('test', PLAIN), pooling.value))
  if (!test.ok) return because('The number of dimensions could not be found out', test.failure)
  return ok(new ModelSource(extract.value, pooling.value, test.value.length))
}

const PLAIN = { pooling: 'none', normalize: false } as const

/** Problems of the package (no network, no such model, an unknown architecture) are problems of the embedder. */
async function attempt<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work())
  } catch (error) {
    return refuse(excerpt(error instanceof Error ? error.message : String(error), 1_000))
  }
}

const POOLING_TIMEOUT_MS = 30_000
const MAX_POOLING_BYTES = 64 * 1024

/** The way forced by the settings, else the one of the model's own file, which not every model has. */
async function choosePooling(
  { client }: EmbedServices,
  { env }: Transformers,
  { model, revision = 'main', pooling }: ConfigOf<'huggingFace'>,
): Promise<Result<Pooling>> {
  if (pooling !== 'useModel') return ok(pooling === 'forceCls' ? 'cls' : 'mean')
  const host = env.remoteHost.replace(/\/$/, '')
  const answer = await client.request({
    method: 'GET',
    url: `${host}/${model}/resolve/${encodeURIComponent(revision)}/1_Pooling/config.json`,
    timeoutMs: POOLING_TIMEOUT_MS,
    maxAnswerBytes: MAX_POOLING_BYTES,
  })
  if (!answer.ok) return refuse(answer.problem.message)
  const { status, body } = answer.value
  if (status === 404) return ok('mean')
  if (status !== 200) return refuse(`the pooling of \`${model}\` was answered with status ${status}`)
  return attempt(async () => poolingOf(JSON.parse(body.toString('utf8'))))
}

class ModelSource implements Source {
  constructor(
    private readonly extract: Extract,
    private readonly pooling: Pooling,
    readonly dimensions: number,
  ) {}

  /** One after the other: a model uses all cores for one text already (spec 7 §1.12). */
  async embedDocuments(inputs: readonly EmbedInput[], signal: AbortSignal): Promise<Result<Float32Array[]>> {
    const vectors: Float32Array[] = []
    for (const input of inputs) {
      if (signal.aborted) return givenUp()
      const vector = await this.embed(input)
      if (!vector.ok) return vector
      vectors.push(vector.value)
    }
    return ok(vectors)
  }

  embedQuery(input: EmbedInput): Promise<Result<Float32Array>> {
    return this.embed(input)
  }

  private embed({ text = '' }: EmbedInput): Promise<Result<Float32Array>> {
    return attempt(async () => pool(await this.extract(text, PLAIN), this.pooling))
  }
}
