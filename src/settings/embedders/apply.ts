import { sortedByName } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import type { Change } from '../change.js'
import { checkEmbedder } from './check.js'
import { asPatch, type EmbedderFields, fieldsOf, resolveEmbedder } from './fields.js'
import { checkQuantization, mergeEmbedder } from './merge.js'
import type { Embedder } from './model.js'
import type { EmbeddersPatch } from './patch.js'
import { unmaskEmbedder } from './unmask.js'

const MAX_EMBEDDERS = 255
const MAX_FRAGMENTS = 255

/** An embedder that a request touched, and one that it left alone. */
type Draft =
  | { readonly kind: 'changed'; readonly fields: EmbedderFields }
  | { readonly kind: 'kept'; readonly embedder: Embedder }

/**
 * Merges the requests of a batch in their order, then checks the outcome once: what one request leaves unfinished a
 * later one may complete (spec 4 §1.6). Embedders that nothing touched stay the same objects.
 */
export function applyEmbedders(
  current: ReadonlyMap<string, Embedder>,
  requests: readonly Change<EmbeddersPatch>[],
): Result<ReadonlyMap<string, Embedder>> {
  const drafts = new Map<string, Draft>([...current].map(([name, embedder]) => [name, { kind: 'kept', embedder }]))
  for (const request of requests) {
    const merged = mergeRequest(drafts, request)
    if (!merged.ok) return merged
  }
  return finish(drafts)
}

function mergeRequest(drafts: Map<string, Draft>, request: Change<EmbeddersPatch>): Result<undefined> {
  if (request === 'reset') drafts.clear()
  const changes = request === 'reset' ? [] : request.set
  for (const [name, wanted] of changes) {
    const draft = drafts.get(name)
    if (wanted === 'reset') {
      drafts.delete(name)
      continue
    }
    const stored = draft && (draft.kind === 'kept' ? fieldsOf(draft.embedder) : draft.fields)
    const quantization = checkQuantization(name, stored, wanted.set)
    if (!quantization.ok) return quantization
    drafts.set(name, { kind: 'changed', fields: mergeEmbedder(stored, unmaskEmbedder(wanted.set, stored)) })
  }
  return ok(undefined)
}

function finish(drafts: ReadonlyMap<string, Draft>): Result<ReadonlyMap<string, Embedder>> {
  if (drafts.size > MAX_EMBEDDERS) return tooMany('embedders', drafts.size, MAX_EMBEDDERS)
  const finished = new Map<string, Embedder>()
  for (const [name, draft] of sortedByName(drafts)) {
    const embedder = draft.kind === 'kept' ? ok(draft.embedder) : finishEmbedder(name, draft.fields)
    if (!embedder.ok) return embedder
    finished.set(name, embedder.value)
  }
  return ok(finished)
}

function finishEmbedder(name: string, fields: EmbedderFields): Result<Embedder> {
  if (name === '') return fail('internal', 'an embedder cannot have an empty name')
  const checked = checkEmbedder(name, asPatch(fields), 'task')
  if (!checked.ok) return checked
  const fragments = (fields.indexingEmbedder ?? fields).indexingFragments?.size ?? 0
  if (fragments > MAX_FRAGMENTS)
    return tooMany(`indexing fragments of the embedder \`${name}\``, fragments, MAX_FRAGMENTS)
  return ok(resolveEmbedder(fields))
}

function tooMany(what: string, count: number, limit: number): Result<never> {
  return fail(
    'invalid_settings_embedders',
    `\`.embedders\`: there are ${count} ${what}, and ${limit} at most are possible.`,
  )
}
