/** Reads large bodies on a thread of its own. */
export { type Bodies, inlineBodies } from './bodies.js'
export { BodyPlace, BodyRoom } from './body-room.js'
export { BodyThread } from './body-thread.js'
export {
  type DigestKind,
  type DigestRequest,
  type Digests,
  digestBody,
  documentIdsBody,
  type IdList,
  shapeOf,
  viewOf,
} from './digest.js'
export { ownMemory } from './own-memory.js'
