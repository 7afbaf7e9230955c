/** How do several queries, here and on other servers, become one answer? */
export { answerRequest } from './answer-request.js'
export { MeasuredPatience } from './remote/patience.js'
