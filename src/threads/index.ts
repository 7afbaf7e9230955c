/** Which thread goes first, when there are more of them than cores. */
export { compilersStepBack, findCompilers } from './compilers.js'
export { stepBack } from './priority.js'
