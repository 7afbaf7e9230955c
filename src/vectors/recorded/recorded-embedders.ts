import { ok, type Result } from '../../errors/index.js'
import type { DocumentEmbedders, EmbeddingInput } from '../document-embedders.js'
import { type Asked, recordKey, VectorRecordReader, VectorRecordWriter } from './vector-record.js'

/** Whether a job writes down what embedders answer, or takes it from what another one has written, and where. */
export interface VectorRecording {
  readonly mode: 'record' | 'replay'
  readonly path: string
}

/** The embedders of one job. */
export interface RecordedEmbedders {
  /** Undefined where no model can be reached, nor has to be. */
  readonly embedders: DocumentEmbedders | undefined
  /** The job has all that it wants. Answers whether it left a record, which is on disk then. */
  finish(): boolean
  /** The job came to nothing. */
  discard(): void
}

export function recordedEmbedders(
  recording: VectorRecording | undefined,
  embedders: DocumentEmbedders | undefined,
): RecordedEmbedders {
  if (recording?.mode === 'replay') return replayed(recording.path, embedders?.ignoresTemplateFailures ?? false)
  if (recording === undefined || embedders === undefined) return { embedders, finish: () => false, discard() {} }
  return recorded(new VectorRecordWriter(recording.path), embedders)
}

/** Nothing is asked twice: a job that has to begin anew finds the same answers. */
function recorded(record: VectorRecordWriter, inner: DocumentEmbedders): RecordedEmbedders {
  const embedders: DocumentEmbedders = {
    ignoresTemplateFailures: inner.ignoresTemplateFailures,
    dimensions(name, config, isCancelled) {
      // Their settings say it: no model is asked.
      if (config.source === 'userProvided') return ok(config.dimensions)
      const key = recordKey(name, 'dimensions')
      const [known] = record.get(key) ?? []
      if (known !== undefined) return ok(known)
      const asked = inner.dimensions(name, config, isCancelled)
      if (asked.ok) record.put(key, Float32Array.of(asked.value))
      return asked
    },
    embed(name, config, inputs, isCancelled) {
      const keys = inputs.map((input) => recordKey(name, input))
      const unknown = keys.flatMap((key, i) => (record.has(key) ? [] : [i]))
      const asked = inner.embed(
        name,
        config,
        unknown.map((i) => inputs[i]!),
        isCancelled,
      )
      if (!asked.ok) return asked
      for (const [n, i] of unknown.entries()) record.put(keys[i]!, asked.value[n]!)
      return ok(keys.map((key) => record.get(key)!))
    },
  }
  return { embedders, finish: () => record.finish(), discard: () => record.discard() }
}

/** A record is opened when it is first needed: where nothing was asked there is none. */
function replayed(path: string, ignoresTemplateFailures: boolean): RecordedEmbedders {
  let record: VectorRecordReader | undefined
  const answer = (name: string, asked: Asked): Float32Array => {
    record ??= VectorRecordReader.open(path)
    const vector = record.get(recordKey(name, asked))
    if (vector !== undefined) return vector
    const what = asked === 'dimensions' ? 'the number of dimensions' : 'a text'
    throw new Error(`what was recorded of the embedder "${name}" lacks ${what}: its documents differ from those here`)
  }
  const close = () => {
    record?.close()
    record = undefined
  }
  const embedders: DocumentEmbedders = {
    ignoresTemplateFailures,
    dimensions: (name, config) =>
      ok(config.source === 'userProvided' ? config.dimensions : answer(name, 'dimensions')[0]!),
    embed: (name, _, inputs: readonly EmbeddingInput[]): Result<Float32Array[]> =>
      ok(inputs.map((input) => answer(name, input))),
  }
  return {
    embedders,
    finish() {
      close()
      return false
    },
    discard: close,
  }
}
