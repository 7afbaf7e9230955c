import { fail, ok, type Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { maskUrl } from '../../secret/index.js'
import { parseJsonTemplate, parseTemplate } from '../../template/index.js'
import { type Change, wantedOf } from '../change.js'
import type { EmbedderSource } from './model.js'
import { checkOpenAiModel, DEFAULT_OPEN_AI_MODEL } from './open-ai-models.js'
import type { EmbedderPatch, FragmentChanges } from './patch.js'
import { checkRestTemplate, type Placeholder } from './rest-template.js'
import { checkSourceFields } from './source-fields.js'

/** The same checks run on the request and, in the task, on the request merged with what is stored (spec 4 §4.4). */
type Stage = 'request' | 'task'

type Step = () => Result<unknown>
type Outcome = Result<undefined>

/** Checks the configuration of one embedder. In the task `patch` is the whole configuration, all of it set. */
export function checkEmbedder(name: string, patch: EmbedderPatch, stage: Stage): Outcome {
  const source = wantedOf(patch.source)
  return firstFailure([
    () => checkDocumentTemplate(name, patch),
    () => checkDimensions(name, patch),
    () => checkUrl(name, patch),
    () => (stage === 'task' ? checkFragmentPair(name, patch) : checkFragmentsAlone(name, patch)),
    () => checkRestTemplates(name, patch, stage),
    () => (source === undefined ? ok(undefined) : checkSourceFields({ name, patch, source, position: 'top' })),
    () => (source === 'openAi' ? checkModel(name, patch, stage) : ok(undefined)),
    () => (source === 'composite' ? checkComposite(name, patch, stage) : ok(undefined)),
  ])
}

function firstFailure(steps: readonly Step[]): Outcome {
  for (const step of steps) {
    const outcome = step()
    if (!outcome.ok) return outcome
  }
  return ok(undefined)
}

function checkDocumentTemplate(name: string, patch: EmbedderPatch): Outcome {
  const template = wantedOf(patch.documentTemplate)
  if (template === undefined) return ok(undefined)
  if (wantedOf(patch.documentTemplateMaxBytes) === 0) {
    return refuse(name, 'documentTemplateMaxBytes', 'an integer of 1 or more was expected, 0 was found')
  }
  const parsed = parseTemplate(template)
  return parsed.ok ? ok(undefined) : refuse(name, 'documentTemplate', `this is not a template: ${parsed.reason}`)
}

function checkDimensions(name: string, patch: EmbedderPatch): Outcome {
  if (wantedOf(patch.dimensions) !== 0) return ok(undefined)
  return refuse(name, 'dimensions', 'an integer of 1 or more was expected, 0 was found')
}

function checkUrl(name: string, patch: EmbedderPatch): Outcome {
  const url = wantedOf(patch.url)
  if (url === undefined || URL.canParse(url)) return ok(undefined)
  return refuse(
    name,
    'url',
    `${JSON.stringify(maskUrl(url))} is not an absolute URL, such as \`https://example.com/path\``,
  )
}

function hasFragments(wanted: Change<FragmentChanges> | undefined): boolean {
  const fragments = wantedOf(wanted)
  return fragments !== undefined && [...fragments.values()].some((fragment) => fragment !== 'reset')
}

function checkFragmentPair(name: string, { indexingFragments, searchFragments }: EmbedderPatch): Outcome {
  if (hasFragments(indexingFragments) === hasFragments(searchFragments)) return ok(undefined)
  const [present, absent] = hasFragments(indexingFragments)
    ? ['indexingFragments', 'searchFragments']
    : ['searchFragments', 'indexingFragments']
  return fail(
    'vector_embedding_error',
    `\`.embedders.${name}\`: there are \`${present}\` but no \`${absent}\`; give both or neither.`,
  )
}

function checkFragmentsAlone(name: string, patch: EmbedderPatch): Outcome {
  const isMixed = hasFragments(patch.indexingFragments) || hasFragments(patch.searchFragments)
  if (!isMixed || wantedOf(patch.documentTemplate) === undefined) return ok(undefined)
  return fail(
    'vector_embedding_error',
    `\`.embedders.${name}\`: \`documentTemplate\` cannot be given together with fragments, which take its place.`,
  )
}

function checkRestTemplates(name: string, patch: EmbedderPatch, stage: Stage): Outcome {
  const request = wantedOf(patch.request)
  const response = wantedOf(patch.response)
  const root = `.embedders.${name}`
  return firstFailure([
    () => checkFragments(`${root}.indexingFragments`, wantedOf(patch.indexingFragments)),
    () => checkFragments(`${root}.searchFragments`, wantedOf(patch.searchFragments)),
    () => checkRestForms({ root, request, response, accepted: inputPlaceholders(patch, stage) }),
  ])
}

interface RestForms {
  readonly root: string
  readonly request: JsonValue | undefined
  readonly response: JsonValue | undefined
  readonly accepted: readonly Placeholder[]
}

function checkRestForms({ root, request, response, accepted }: RestForms): Outcome {
  const sent =
    request === undefined ? undefined : checkRestTemplate({ root: `${root}.request`, value: request, accepted })
  if (sent && !sent.ok) return sent
  if (response === undefined) return ok(undefined)
  const received = checkRestTemplate({ root: `${root}.response`, value: response, accepted: ['{{embedding}}'] })
  if (!received.ok) return received
  if (sent === undefined || sent.value === received.value) return ok(undefined)
  const [many, one] = sent.value === 'repeated' ? ['request', 'response'] : ['response', 'request']
  return fail(
    'vector_embedding_error',
    `\`${root}\`: \`${many}\` holds many inputs at once (\`{{..}}\`), \`${one}\` only one; both must do the same.`,
  )
}

/** A request that says nothing about fragments may be for an embedder with or without them. */
function inputPlaceholders(patch: EmbedderPatch, stage: Stage): readonly Placeholder[] {
  if (hasFragments(patch.indexingFragments) || hasFragments(patch.searchFragments)) return ['{{fragment}}']
  const isWithout = stage === 'task' || patch.indexingFragments === 'reset' || patch.searchFragments === 'reset'
  return isWithout ? ['{{text}}'] : ['{{text}}', '{{fragment}}']
}

function checkFragments(root: string, fragments: FragmentChanges | undefined): Outcome {
  for (const [name, fragment] of fragments ?? []) {
    const parsed = fragment === 'reset' ? undefined : parseJsonTemplate(fragment.set)
    if (parsed === undefined || parsed.ok) continue
    return fail(
      'vector_embedding_error',
      `\`${root}.${name}.value${parsed.path}\`: this is not a template: ${parsed.reason}.`,
    )
  }
  return ok(undefined)
}

/** A request without a model may be for an embedder whose stored model allows the dimensions. */
function checkModel(name: string, patch: EmbedderPatch, stage: Stage): Outcome {
  const model = wantedOf(patch.model)
  if (stage === 'request' && model === undefined) return ok(undefined)
  return checkOpenAiModel({ name, model: model ?? DEFAULT_OPEN_AI_MODEL, dimensions: wantedOf(patch.dimensions) })
}

const SUB_SOURCES: readonly EmbedderSource[] = ['openAi', 'huggingFace', 'ollama', 'rest']

function checkComposite(name: string, patch: EmbedderPatch, stage: Stage): Outcome {
  const search = wantedOf(patch.searchEmbedder)
  const indexing = wantedOf(patch.indexingEmbedder)
  return firstFailure([
    () => checkSubEmbedder({ name: `${name}.searchEmbedder`, patch: search ?? {}, position: 'search', stage }),
    () => checkSubEmbedder({ name: `${name}.indexingEmbedder`, patch: indexing ?? {}, position: 'indexing', stage }),
  ])
}

interface SubCheck {
  readonly name: string
  readonly patch: EmbedderPatch
  readonly position: 'search' | 'indexing'
  readonly stage: Stage
}

/** What costs a look at the network or at stored values is left to the task (spec 4 §4.5). */
function checkSubEmbedder({ name, patch, position, stage }: SubCheck): Outcome {
  const source = wantedOf(patch.source)
  if (source === undefined)
    return refuse(name, 'source', `the field is missing; accepted are ${SUB_SOURCES.join(', ')}`)
  if (!SUB_SOURCES.includes(source)) {
    return refuse(
      name,
      'source',
      `\`${source}\` cannot be part of another embedder; accepted are ${SUB_SOURCES.join(', ')}`,
    )
  }
  const onTask = (step: Step): Step => (stage === 'task' ? step : () => ok(undefined))
  return firstFailure([
    () => checkSourceFields({ name, patch, source, position }),
    () => checkDocumentTemplate(name, patch),
    onTask(() => checkDimensions(name, patch)),
    onTask(() => checkUrl(name, patch)),
    onTask(() => checkRestTemplates(name, patch, stage)),
    () => (source === 'openAi' ? checkModel(name, patch, stage) : ok(undefined)),
  ])
}

function refuse(name: string, field: string, reason: string): Result<never> {
  return fail('invalid_settings_embedders', `\`.embedders.${name}.${field}\`: ${reason}.`)
}
