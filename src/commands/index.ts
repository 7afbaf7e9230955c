/**
 * What operators do from the command line, beside starting a server: `findling cluster …`.
 *
 * Commands ask a running server over HTTP, as any client would.
 */
export { runClusterCommand } from './cluster-command.js'
export { clusterText } from './cluster-text.js'
