import { isSame } from '../same.js'
import type { Embedder, Fragments, SubEmbedder } from './model.js'

/** What happens to the vectors that an embedder made of the documents (spec 4 §4.10). */
export type EmbedderChange =
  | { readonly kind: 'added' }
  | { readonly kind: 'removed' }
  /** Removed and added again in one go: nothing that is stored can be kept. */
  | { readonly kind: 'replaced' }
  | {
      readonly kind: 'changed'
      /** `all`: every document; `rendered`: those whose template now gives another text; `none`: nothing. */
      readonly regenerate: 'all' | 'rendered' | 'none'
      /** Fragments whose vectors change, when others can be kept. */
      readonly fragments: FragmentsChange
      /** Stored vectors have to be quantized. */
      readonly quantize: boolean
    }

export interface FragmentsChange {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

type Embedders = ReadonlyMap<string, Embedder>

/** Embedders that nothing happened to do not appear. */
export function embedderChanges(
  before: Embedders,
  after: Embedders,
  areFieldsRendered: boolean,
): ReadonlyMap<string, EmbedderChange> {
  const changes = new Map<string, EmbedderChange>()
  for (const name of before.keys()) if (!after.has(name)) changes.set(name, { kind: 'removed' })
  for (const [name, embedder] of after) {
    const old = before.get(name)
    const change = old ? changeOf(old, embedder, areFieldsRendered) : ({ kind: 'added' } as const)
    if (change) changes.set(name, change)
  }
  return changes
}

function changeOf(before: Embedder, after: Embedder, areFieldsRendered: boolean): EmbedderChange | undefined {
  const [old, now] = [indexingSide(before), indexingSide(after)]
  const isRendered = areFieldsRendered && now.source !== 'userProvided' && now.documentTemplate !== undefined
  if (isSame(before, after) && !isRendered) return undefined
  if (before.binaryQuantized && !after.binaryQuantized) return { kind: 'replaced' }
  const regenerate = before.source !== after.source || isRegenerated(old, now) ? 'all' : 'none'
  const isTemplateChanged = 'documentTemplate' in now && !isSame(templateOf(old), templateOf(now))
  return {
    kind: 'changed',
    regenerate: regenerate === 'none' && (isRendered || isTemplateChanged) ? 'rendered' : regenerate,
    fragments: regenerate === 'all' ? NO_FRAGMENTS : fragmentsChange(fragmentsOf(old), fragmentsOf(now)),
    quantize: !before.binaryQuantized && after.binaryQuantized === true,
  }
}

type IndexingSide = Exclude<Embedder, { source: 'composite' }>

function indexingSide(embedder: Embedder): IndexingSide {
  return embedder.source === 'composite' ? embedder.indexingEmbedder : embedder
}

const templateOf = (embedder: IndexingSide): string | undefined =>
  embedder.source === 'userProvided' ? undefined : embedder.documentTemplate

const fragmentsOf = (embedder: IndexingSide): Fragments | undefined =>
  embedder.source === 'rest' ? embedder.indexingFragments : undefined

/** The members of each source that decide what its vectors are. */
const DECISIVE: { readonly [Source in IndexingSide['source']]: readonly string[] } = {
  openAi: ['model', 'dimensions'],
  huggingFace: ['model', 'revision', 'pooling'],
  ollama: ['model', 'url'],
  rest: ['url', 'request', 'response'],
  userProvided: [],
}

function isRegenerated(before: IndexingSide, after: IndexingSide): boolean {
  if (before.source !== after.source) return true
  const [old, now] = [before, after] as unknown as Record<string, unknown>[]
  if (DECISIVE[after.source].some((member) => !isSame(old![member], now![member]))) return true
  // Fragments take the place of the template, or give it back.
  return (fragmentsOf(before) === undefined) !== (fragmentsOf(after as SubEmbedder) === undefined)
}

const NO_FRAGMENTS: FragmentsChange = { added: [], changed: [], removed: [] }

function fragmentsChange(before: Fragments = new Map(), after: Fragments = new Map()): FragmentsChange {
  const names = [...after.keys()]
  return {
    added: names.filter((name) => !before.has(name)),
    changed: names.filter((name) => before.has(name) && !isSame(before.get(name), after.get(name))),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  }
}
