/**
 * Templates of documents and queries: text with outputs and tags in the Liquid dialect of spec 3 §7.2, made strict.
 * Missing variables are failures, nothing outside the variables can be reached, and every rendering ends, whatever
 * the template. Values are those of documents (`JsonValue`), so integers and floats stay apart.
 */
export { documentVariables } from './document-variables.js'
export {
  type JsonTemplate,
  type ParsedJsonTemplate,
  parseJsonTemplate,
  type RenderedJson,
  renderJsonTemplate,
} from './json-template.js'
export type { Variables } from './scope.js'
export {
  type ParsedTemplate,
  parseTemplate,
  type Rendered,
  type RenderLimits,
  renderTemplate,
  type Template,
} from './template.js'
