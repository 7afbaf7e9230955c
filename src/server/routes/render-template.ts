import { fail, ok, type Result } from '../../errors/index.js'
import { type JsonValue, print } from '../../json/index.js'
import { anyJson, nullable, object, oneOf, optional, refined, required, text, uint } from '../../shape/index.js'
import { jsonText } from '../answers/answer.js'
import { jsonBody, type Outcome, route } from '../http/route.js'
import { INPUT_KINDS, type Input, resolveInput } from './render-input.js'
import type { RenderCall } from './render-parameters.js'
import { type RenderSource, resolveTemplate, TEMPLATE_KINDS, type TemplateRequest } from './render-source.js'

const TEMPLATE = 'invalid_render_template'
const INPUT = 'invalid_render_input'

const positive = refined(
  uint,
  (value) => (value > 0 ? ok(value) : 'an integer of 1 or more was expected, 0 was found'),
  { minimum: 1 },
)

const template = object({
  kind: required(oneOf(TEMPLATE_KINDS), TEMPLATE, TEMPLATE),
  indexUid: optional(nullable(text), TEMPLATE),
  embedder: optional(nullable(text), TEMPLATE),
  fragment: optional(nullable(text), TEMPLATE),
  inline: optional(anyJson, TEMPLATE),
  documentTemplateMaxBytes: optional(nullable(positive), TEMPLATE),
})

const input = object({
  kind: required(oneOf(INPUT_KINDS), INPUT, INPUT),
  indexUid: optional(nullable(text), INPUT),
  id: optional(nullable(text), INPUT),
  inline: optional(anyJson, INPUT),
})

export const routes = [
  route({
    method: 'POST',
    path: '/render-template',
    action: ['settings.get', 'documents.get'],
    body: jsonBody(
      object({ template: required(template, TEMPLATE, 'bad_request'), input: optional(nullable(input), INPUT) }),
    ),
    feature: { name: 'renderRoute', doing: 'Rendering templates' },
    handle: (call) => render(call, call.body),
  }),
]

interface RenderRequest {
  readonly template: TemplateRequest
  readonly input?: Input | null
}

/** The template is found before the input is looked at (spec 3 §7). */
function render(call: RenderCall, request: RenderRequest): Outcome {
  const source = resolveTemplate(call, request.template)
  if (!source.ok) return source
  const rendered = renderInput(call, request.input ?? null, source.value)
  return rendered.ok ? jsonText(200, print(answer(source.value.template, rendered.value))) : rendered
}

function renderInput(call: RenderCall, input: Input | null, source: RenderSource): Result<JsonValue> {
  if (input === null) return ok(null)
  const resolved = resolveInput(call, input)
  if (!resolved.ok) return resolved
  const rendered = source.render(resolved.value)
  if (rendered.ok) return rendered
  return fail('template_rendering_error', `The template cannot be rendered: ${rendered.reason}.`)
}

const answer = (template: JsonValue, rendered: JsonValue): JsonValue =>
  new Map([
    ['template', template],
    ['rendered', rendered],
  ])
