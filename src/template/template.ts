import { Meter } from './meter.js'
import type { Node } from './node.js'
import { parseNodes } from './parse.js'
import { TemplateProblem } from './problem.js'
import { renderNodes } from './render.js'
import { Scope, type Variables } from './scope.js'

/** A template that was parsed. What is inside is nobody's business. */
export interface Template {
  readonly nodes: readonly Node[]
}

export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly reason: string }

export type Rendered = { readonly ok: true; readonly text: string } | RenderFailure

export interface RenderFailure {
  readonly ok: false
  readonly reason: string
  /** Without the names of what there is: for those who need not know all of it. */
  readonly bareReason: string
}

export interface RenderLimits {
  /**
   * Work units: 32 for each tag, output and turn of a loop, 1 for each character read or written. The text that comes
   * out is never longer. Default 64 million, about a second.
   */
  readonly maxWork?: number
  /** What `date: "now"` means, in milliseconds since 1970. Default: the clock of the machine. */
  readonly nowMs?: number
}

const DEFAULT_MAX_WORK = 64_000_000

/** Parses a template (spec 3 §7.2). The reason of a failure says what is wrong and where, without a final stop. */
export function parseTemplate(text: string): ParsedTemplate {
  try {
    return { ok: true, template: { nodes: parseNodes(text) } }
  } catch (error) {
    if (error instanceof TemplateProblem) return { ok: false, reason: error.message }
    throw error
  }
}

/** Renders a template with the given variables. A variable that is missing is a failure, not an empty text. */
export function renderTemplate(template: Template, variables: Variables, limits: RenderLimits = {}): Rendered {
  const { maxWork = DEFAULT_MAX_WORK, nowMs = Date.now() } = limits
  try {
    return { ok: true, text: renderNodes(template.nodes, new Scope(variables, new Meter(maxWork), nowMs)) }
  } catch (error) {
    if (error instanceof TemplateProblem) return { ok: false, reason: error.message, bareReason: error.bareReason }
    throw error
  }
}
