/** Which thread goes first, when there are more of them than cores. */
export { stepBack } from './priority.js'
