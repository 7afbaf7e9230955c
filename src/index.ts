/**
 * Findling from code: the whole server, started in this process. `readConfig` makes the configuration from a command
 * line and an environment, `createLog` the log. The engine alone is `findling/engine`.
 */
export { readConfig } from './config/index.js'
export { createLog } from './log/index.js'
export { type RunningServer, startServer } from './server/index.js'
