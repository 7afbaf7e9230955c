import type { Call } from '../http/route.js'

/** Who wants to have something searched, and with which rights. */
export type Searcher = Pick<Call, 'context' | 'auth' | 'headers' | 'asker'>
