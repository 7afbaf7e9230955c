/**
 * HTTP: routes, keys, validation, metrics.
 *
 * `routes/` holds one file for each resource, each a list of declarations: method, path, permission, shapes of query
 * and body, handler. `http/` runs the checks of a declaration in their order and sends the answer; `auth/` decides who
 * may pass; `start.ts` opens a data folder and listens.
 */
export type { ClusterView } from './cluster/cluster-view.js'
export { recoverLog } from './recover.js'
export { type RunningServer, startServer } from './start.js'
