/** Describes the routes as an OpenAPI document. */
export { answerSchemas } from './answers.js'
export { describeRoutes } from './describe.js'
export { explained } from './explain.js'
export { operations } from './operations.js'
export { pathParameters } from './path-parameters.js'
export { texts } from './texts.js'
export type { Vocabulary } from './vocabulary.js'
